package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.CallersCall;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a blocking lock operation, which may make one blocking call to the store itself:
 * the operation's first. The call is left to it while it runs through the engine, and made where
 * the thread would begin to wait, outside every mutex and outbox.
 *
 * <p>{@link CallerThreads} watches it. Fields are the thread's own unless documented otherwise;
 * others read them after {@link CallerThreads#add}.
 */
public final class CallerThread implements ReleaseStrategy {
  private final CallerThreads all;
  private final Thread thread = Thread.currentThread();
  private boolean open = true;
  private @Nullable CallersCall call;
  private long until;

  /** Whether the call was made, or was passed to another thread. */
  private final AtomicBoolean begun = new AtomicBoolean();

  /** Ends the call's stage when it times out. */
  private volatile @Nullable Runnable limit;

  /** The result that the operation waits for, once it waits. */
  private volatile @Nullable CompletableFuture<?> outcome;

  /** Gives up the operation; null if an interrupt does not end it. */
  private volatile @Nullable Runnable giveUp;

  private volatile boolean unwanted;
  private volatile boolean made;

  /** The call, and its stage as the engine sees it, which a store may complete later. */
  private final AtomicInteger underWay = new AtomicInteger(2);

  CallerThread(CallerThreads all) {
    this.all = all;
  }

  /** Calls the store; a blocking call there may be left to the caller's thread. */
  public static <T> T offering(@Nullable CallerThread caller, Supplier<T> call) {
    return caller == null || caller.thread != Thread.currentThread() || !caller.open
        ? call.get()
        : caller.all.offering(caller, call);
  }

  @Override
  public Supplier<CompletableFuture<ReleaseResult>> giving(Returnable lease) {
    return () -> offering(this, lease::release);
  }

  /** Accepts a call for {@link #run} to make; one for each operation. */
  boolean take(CallersCall mine, long until) {
    if (call != null) {
      return false;
    }
    call = mine;
    this.until = until;
    boolean watched = all.add(this);
    if (!watched) {
      call = null;
    }
    return watched;
  }

  boolean hasCall() {
    return call != null;
  }

  /**
   * Sets what a time-out does.
   *
   * @param giveUp ends the call's stage; {@link #ended} must follow
   */
  void limitedBy(Runnable giveUp) {
    limit = giveUp;
  }

  /** The call returned, or its stage ended: after both, the watch ends. */
  void ended() {
    if (underWay.decrementAndGet() == 0) {
      all.remove(this);
    }
  }

  /** Returns whether the result of the call is no longer wanted. */
  boolean isUnwanted() {
    return unwanted;
  }

  /**
   * Makes the call that was left to this thread, if there is one. The caller waits afterwards.
   *
   * @param outcome the result that the operation waits for
   * @param onInterrupt gives up the operation; null if an interrupt does not end it
   */
  public void run(CompletableFuture<?> outcome, @Nullable Runnable onInterrupt) {
    open = false;
    CallersCall mine = call;
    if (mine == null) {
      return;
    }
    this.outcome = outcome;
    giveUp = onInterrupt;
    if (begun.compareAndSet(false, true)) {
      try {
        mine.run();
      } finally {
        made = true;
        ended();
      }
    }
  }

  /** The operation ended before it began to wait: another thread makes the call. */
  public void leave() {
    open = false;
    if (call != null) {
      runElsewhere(call);
    }
  }

  private boolean runElsewhere(CallersCall mine) {
    boolean mayRun = begun.compareAndSet(false, true);
    if (mayRun) {
      made = true;
      ended();
      mine.runElsewhere();
    }
    return mayRun;
  }

  /** Ends the call if it must not go on. Called by another thread. */
  void look(long now) {
    CallersCall mine = call;
    if (mine == null) {
      return;
    }
    Runnable interrupted = giveUp;
    CompletableFuture<?> waited = outcome;
    Runnable late = limit;
    if (now - until >= 0) {
      if (late != null) {
        late.run();
      }
      if (!runElsewhere(mine)) {
        mine.cut();
      }
    } else if (made) {
      return; // what is still in flight needs only its time-out
    } else if (interrupted != null && thread.isInterrupted()) {
      interrupted.run();
      end(mine);
    } else if (waited != null && waited.isDone()) {
      end(mine);
    }
  }

  private void end(CallersCall mine) {
    unwanted = true;
    mine.cut();
  }

  /** Ends the call, because the manager is closed. */
  void cut() {
    CallersCall mine = call;
    if (mine != null) {
      end(mine);
    }
  }
}
