package dev.leasehold.lock.internal.election;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.Resignation;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One term of an election: the lease that its leader gets, and how it ends. The first reason to end
 * counts; later ones are ignored.
 */
final class Leadership implements Lease {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final Ticker TICKER = Ticker.system();

  private enum Callback {
    NOT_BEGUN,
    BEGUN,
    NEVER
  }

  private final Lease lease;
  private final CompletableFuture<Resignation> end = new CompletableFuture<>();
  private final CompletableFuture<Void> returned = new CompletableFuture<>();
  private final AtomicReference<Callback> callback = new AtomicReference<>(Callback.NOT_BEGUN);

  /** Until when a leader that gives up led; null if it doesn't. */
  private volatile @Nullable Long leftBy;

  Leadership(Lease lease) {
    this.lease = lease;
  }

  static Thread daemon(String prefix, String name, Runnable task) {
    Thread thread = new Thread(null, task, prefix + name, 0, false);
    thread.setDaemon(true);
    return thread;
  }

  /** Runs the callback on a thread of its own, unless the term is over by then. */
  void begin(Consumer<? super Lease> elected) {
    lease.lost().thenAccept(loss -> end(new Resignation.Lost(lockName(), loss)));
    if (!end.isDone()) {
      daemon("leasehold-elected-", lockName(), () -> run(elected)).start();
    }
  }

  private void run(Consumer<? super Lease> elected) {
    if (!callback.compareAndSet(Callback.NOT_BEGUN, Callback.BEGUN)) {
      return;
    }
    try {
      elected.accept(this);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "a callback threw", e);
      end(new Resignation.Failed(lockName(), e));
    } finally {
      returned.complete(null);
    }
  }

  void end(Resignation why) {
    end.complete(why);
  }

  /**
   * Waits for the end. It checks the lease itself at its deadline: the signal is delivered by the
   * manager's executor, which may be stuck.
   */
  Resignation awaitEnd() {
    while (true) {
      try {
        return end.get(left().toMillis() + 1, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        endIfInvalid();
      } catch (InterruptedException e) {
        LOG.log(Level.DEBUG, "an interrupt does not end a term", e); // nor is it the callback's
      } catch (ExecutionException e) {
        throw Waits.unwrapped(e.getCause());
      }
    }
  }

  private Duration left() {
    Long by = leftBy;
    return by == null ? lease.remaining() : Duration.ofNanos(Math.max(0, by - TICKER.nanos()));
  }

  private void endIfInvalid() {
    if (leftBy != null) {
      if (left().isZero()) { // its release is not answered yet: others may lead now
        end(new Resignation.GivenUp(lockName()));
      }
      return; // no loss, unless its release says so
    }
    try {
      lease.ensureValid();
    } catch (LeaseLostException e) {
      end(new Resignation.Lost(lockName(), e.loss()));
    }
  }

  /** Whether the callback has begun; if not, it never will. */
  boolean hasBegun() {
    boolean never = callback.compareAndSet(Callback.NOT_BEGUN, Callback.NEVER);
    if (never) {
      returned.complete(null);
    }
    return !never;
  }

  /** Completes when the callback has returned, or will never begin. */
  CompletableFuture<Void> returned() {
    return returned;
  }

  boolean isLed() {
    return !end.isDone() && lease.isValid();
  }

  /** Gives the lease back, in whatever state it is; never throws. */
  void giveBack() {
    try {
      lease.release();
    } catch (LockException e) { // lost, as was reported; or released by the manager when possible
      LOG.log(Level.DEBUG, "the lease of a leader was not released", e);
    }
  }

  // ---- what the leader sees ----

  /** From now on its handle is none, though nothing was lost; false if something was before. */
  private boolean gaveUp() {
    Duration remaining = lease.remaining();
    if (!lease.isValid()) {
      return false;
    }
    leftBy = TICKER.nanos() + remaining.toNanos();
    return true;
  }

  @Override
  public void release() {
    gaveUp();
    try {
      lease.release();
    } catch (LeaseLostException e) {
      end(new Resignation.Lost(lockName(), e.loss()));
      throw e;
    } finally {
      end(new Resignation.GivenUp(lockName()));
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    boolean led = gaveUp();
    CompletionStage<Void> released = lease.releaseAsync();
    if (led) { // otherwise its loss is reported
      end(new Resignation.GivenUp(lockName()));
    }
    return released;
  }

  @Override
  public String lockName() {
    return lease.lockName();
  }

  @Override
  public List<Lease> parts() {
    List<Lease> parts = lease.parts();
    return parts.size() == 1 ? List.of(this) : parts;
  }

  @Override
  public List<Integer> slots() {
    return lease.slots();
  }

  @Override
  public long fencingToken() {
    return lease.fencingToken();
  }

  @Override
  public Duration remaining() {
    return lease.remaining();
  }

  @Override
  public boolean isValid() {
    return lease.isValid();
  }

  @Override
  public int holdCount() {
    return lease.holdCount();
  }

  @Override
  public boolean extend(Duration time) {
    return lease.extend(time);
  }

  @Override
  public CompletionStage<LeaseLoss> lost() {
    return lease.lost();
  }

  @Override
  public void ensureValid() {
    lease.ensureValid();
  }

  @Override
  public String toString() {
    return lease.toString();
  }
}
