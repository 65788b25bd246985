package dev.leasehold.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.Resignation;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An election in the usual style; correct but for its flaw. */
final class ElectionSketch implements LeaderElection.Builder {
  enum Flaw {
    ONE_OWNER,
    TOLD_BY_ALL,
    ONE_THREAD,
    LEFT_TO_EXPIRE
  }

  private static final long POLL_MILLIS = 5;
  private static final long STANDS_BACK_MILLIS = 300;

  private final DistributedLock lock;
  private final Flaw flaw;
  private Consumer<? super Lease> elected = lease -> {};
  private Consumer<? super Resignation> resigned = why -> {};

  ElectionSketch(DistributedLock lock, Flaw flaw) {
    this.lock = lock;
    this.flaw = flaw;
  }

  @Override
  public ElectionSketch elected(Consumer<? super Lease> callback) {
    elected = callback;
    return this;
  }

  @Override
  public ElectionSketch resigned(Consumer<? super Resignation> callback) {
    resigned = callback;
    return this;
  }

  @Override
  public LeaderElection start() {
    Standing standing = new Standing();
    standing.thread.start();
    return standing;
  }

  private final class Standing implements LeaderElection {
    private final DistributedLock mine =
        flaw == Flaw.ONE_OWNER ? lock : lock.as(LockOwner.unique("a candidate"));
    private final Thread thread = daemon(this::run);
    private volatile boolean closed;
    private volatile boolean leads;

    private Thread daemon(Runnable task) {
      Thread made = new Thread(task, "sketch-election-" + lock.name());
      made.setDaemon(true);
      return made;
    }

    private void run() {
      try {
        while (!closed) {
          lead(mine.acquire());
        }
      } catch (InterruptedException | LockException e) {
        // it is closed, or the manager is
      }
    }

    private void lead(Lease lease) throws InterruptedException {
      BlockingQueue<Resignation> whys = new LinkedBlockingQueue<>();
      leads = true;
      Runnable work =
          () -> {
            try {
              elected.accept(lease);
              if (!lease.isValid() && flaw != Flaw.TOLD_BY_ALL && whys.isEmpty()) {
                whys.add(over(lease));
              }
            } catch (RuntimeException e) {
              whys.add(new Resignation.Failed(lock.name(), e));
            }
          };
      Thread worker = daemon(work);
      if (flaw == Flaw.ONE_THREAD) {
        work.run();
      } else {
        worker.start();
      }
      while (!closed && whys.isEmpty() && lease.isValid()) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      if (whys.isEmpty()) {
        whys.add(closed ? new Resignation.Closed(lock.name()) : over(lease));
      }
      leads = false;
      resigned.accept(whys.remove());
      if (flaw == Flaw.TOLD_BY_ALL) {
        worker.join();
        whys.forEach(resigned);
      }
      if (flaw != Flaw.LEFT_TO_EXPIRE || !closed) {
        giveBack(lease);
      }
      if (!closed) {
        TimeUnit.MILLISECONDS.sleep(STANDS_BACK_MILLIS);
      }
    }

    private Resignation over(Lease lease) {
      try {
        lease.release();
        return new Resignation.GivenUp(lock.name());
      } catch (dev.leasehold.lock.LeaseLostException e) {
        return new Resignation.Lost(lock.name(), e.loss());
      }
    }

    private void giveBack(Lease lease) {
      try {
        lease.release();
      } catch (LockException e) {
        // lost
      }
    }

    @Override
    public String lockName() {
      return lock.name();
    }

    @Override
    public boolean isLeader() {
      return leads;
    }

    @Override
    public Optional<HolderInfo> leader() {
      return lock.inspect();
    }

    @Override
    public void close() {
      closed = true;
      if (!leads) {
        thread.interrupt();
      }
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
