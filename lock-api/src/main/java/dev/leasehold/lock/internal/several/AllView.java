package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.internal.kinds.LockView;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.internal.threads.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** The view of several locks as one. It locks and unlocks their views, which know the holder. */
public final class AllView implements Lock {
  private final List<Lock> views;
  private final AllOrNone<Lock> taking;

  public AllView(List<Lock> views, Clock clock) {
    this.views = views;
    this.taking = new AllOrNone<>(views.stream().map(PartView::new).toList(), null, clock);
  }

  private record PartView(Lock view) implements Part<Lock> {
    @Override
    public CompletableFuture<Optional<Lock>> await(Optional<Duration> wait)
        throws InterruptedException {
      if (wait.isEmpty()) {
        view.lockInterruptibly();
        return had(true);
      }
      return wait.get().isZero()
          ? ask()
          : had(view.tryLock(wait.get().toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public CompletableFuture<Optional<Lock>> ask() {
      return had(view.tryLock()); // a view is its thread's
    }

    private CompletableFuture<Optional<Lock>> had(boolean had) {
      return CompletableFuture.completedFuture(had ? Optional.of(view) : Optional.empty());
    }

    @Override
    public boolean wasOthers(Lock taken) {
      return false; // a view does not say so
    }

    @Override
    public CompletableFuture<Void> giveBack(Lock taken) {
      if (taken instanceof LockView view) {
        view.unlockUnused();
      } else {
        taken.unlock();
      }
      return CompletableFuture.completedFuture(null);
    }
  }

  @Override
  public void lock() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          lockInterruptibly();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    taking.take(Optional.empty());
  }

  @Override
  public boolean tryLock() {
    return taking.tryTake().isPresent();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    Waits.checkInterrupt();
    return taking.take(Optional.of(Duration.ofNanos(Math.max(0, unit.toNanos(time))))).isPresent();
  }

  /** Fails without an effect if the thread does not hold all, as far as the views know. */
  @Override
  public void unlock() {
    checkHeld();
    RuntimeException failure = null;
    for (int i = views.size() - 1; i >= 0; i--) {
      failure = unlocked(views.get(i), failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void checkHeld() {
    for (Lock view : views) {
      if (view instanceof LockView mine) {
        mine.checkHeld();
      } else if (view instanceof AllView all) {
        all.checkHeld();
      }
    }
  }

  private static @Nullable RuntimeException unlocked(Lock view, @Nullable RuntimeException before) {
    try {
      view.unlock();
      return before;
    } catch (RuntimeException e) {
      if (before == null) {
        return e;
      }
      before.addSuppressed(e);
      return before;
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a distributed lock has no conditions");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AllView that && views.equals(that.views);
  }

  @Override
  public int hashCode() {
    return views.hashCode();
  }

  @Override
  public String toString() {
    return "Lock view of all of " + views;
  }
}
