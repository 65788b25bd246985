package dev.leasehold.lock.internal.election;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Resignation;
import dev.leasehold.lock.spi.Quoted;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands for election until it is closed. It uses nothing but the lock's interface, and threads of
 * its own: so it works on any lock, and neither a manager's executor nor a callback can keep it
 * from telling a leader that it leads no more.
 */
final class Candidate implements LeaderElection {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  /** How long it pauses after it resigned by itself, so that others come first. */
  private static final long STANDS_BACK_SECONDS = 1;

  private final DistributedLock lock;
  private final Consumer<? super Lease> elected;
  private final Consumer<? super Resignation> resigned;
  private final Thread thread;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ReentrantLock mutex = new ReentrantLock();

  /** Whether an interrupt ends nothing but a wait for the lock. */
  @GuardedBy("mutex")
  private boolean asking;

  private volatile @Nullable Leadership leadership;

  Candidate(
      DistributedLock lock,
      Consumer<? super Lease> elected,
      Consumer<? super Resignation> resigned) {
    this.lock = lock.as(LockOwner.unique("election " + Quoted.name(lock.name())));
    this.elected = elected;
    this.resigned = resigned;
    this.thread = Leadership.daemon("leasehold-election-", lock.name(), this::run);
  }

  Candidate started() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      for (boolean stands = true; stands; ) {
        stands = !isClosed() && stand();
      }
    } finally {
      ended.countDown();
    }
  }

  private boolean isClosed() {
    return closed.isDone();
  }

  /** Stands once; whether it is to stand again. */
  private boolean stand() {
    try {
      Lease lease = ask();
      if (lease == null || lead(lease) instanceof Resignation.Lost) {
        return true;
      }
    } catch (LockManagerClosedException e) {
      return false;
    } catch (LockException e) {
      LOG.log(
          Level.DEBUG,
          "an election could not ask the store, and tries again",
          e); // the manager has logged it
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "an election failed, and tries again", e);
    }
    return !standsBack();
  }

  /** The lease, or null if there is none since this was closed. */
  private @Nullable Lease ask() {
    if (!asks(true)) {
      return null;
    }
    try {
      return lock.acquire();
    } catch (InterruptedException e) {
      return null;
    } finally {
      asks(false);
      Thread.interrupted(); // by the close, when the lease was there already
    }
  }

  private boolean asks(boolean now) {
    mutex.lock();
    try {
      asking = now;
      return !isClosed();
    } finally {
      mutex.unlock();
    }
  }

  private Resignation lead(Lease lease) {
    Leadership mine = new Leadership(lease);
    leadership = mine;
    if (isClosed()) { // it may have looked before
      mine.end(new Resignation.Closed(lock.name()));
    }
    try {
      mine.begin(elected);
      Resignation why = mine.awaitEnd();
      Thread.interrupted(); // nor may an interrupt that came with the end reach the callback
      if (mine.hasBegun()) {
        quietly(() -> resigned.accept(why));
      }
      leadership = null;
      mine.giveBack();
      awaitOrClosed(mine.returned());
      return why;
    } finally {
      leadership = null;
      mine.giveBack();
    }
  }

  /** Callbacks of one candidate never overlap: others may lead meanwhile. */
  private void awaitOrClosed(CompletableFuture<Void> returned) {
    CompletableFuture.anyOf(closed, returned).join(); // not interruptible
    Thread.interrupted();
  }

  /** An interrupt that a callback leaves behind is cleared: this thread goes on to others. */
  private static void quietly(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "a callback threw", e);
    } finally {
      Thread.interrupted();
    }
  }

  /** Whether it was closed meanwhile. */
  private boolean standsBack() {
    try {
      closed.get(STANDS_BACK_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) { // on it goes
      return isClosed();
    }
    return true;
  }

  @Override
  public String lockName() {
    return lock.name();
  }

  @Override
  public boolean isLeader() {
    Leadership mine = leadership;
    return mine != null && mine.isLed();
  }

  @Override
  public Optional<HolderInfo> leader() {
    return lock.inspect();
  }

  @Override
  public void close() {
    mutex.lock();
    try {
      closed.complete(null);
      if (asking) {
        thread.interrupt();
      }
    } finally {
      mutex.unlock();
    }
    Leadership mine = leadership;
    if (mine != null) {
      mine.end(new Resignation.Closed(lock.name()));
    }
    if (Thread.currentThread() != thread) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public String toString() {
    return "LeaderElection[" + Quoted.name(lock.name()) + (isLeader() ? ", leads]" : "]");
  }
}
