package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.CallersCall;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A blocking lock operation's thread, which may make one blocking call to the store itself: the
 * first that the operation asks the store for. The call is left to it while it goes through the
 * engine, and made when it would begin to wait: outside every turn and outbox.
 *
 * <p>{@link CallerThreads} watches. Fields without a word on it are the thread's own, and others
 * read them after {@link CallerThreads#add}.
 */
public final class CallerThread implements ReleaseStrategy {
  private final CallerThreads all;
  private final Thread thread = Thread.currentThread();
  private boolean open = true;
  private @Nullable CallersCall call;
  private long until;

  /** Whether the call is made, or somebody has seen to it otherwise. */
  private final AtomicBoolean begun = new AtomicBoolean();

  /** Ends the call's stage when its time is over. */
  private volatile @Nullable Runnable limit;

  /** What the operation waits for, once it does. */
  private volatile @Nullable CompletableFuture<?> outcome;

  /** Gives the operation up; null if an interrupt doesn't end it. */
  private volatile @Nullable Runnable giveUp;

  private volatile boolean unwanted;
  private volatile boolean made;

  /** The call itself, and its stage as the engine has it, which a store may let end later. */
  private final AtomicInteger underWay = new AtomicInteger(2);

  CallerThread(CallerThreads all) {
    this.all = all;
  }

  /** Calls the store; what blocks there may be left to this thread, if it is the caller's. */
  public static <T> T offering(@Nullable CallerThread caller, Supplier<T> call) {
    return caller == null || caller.thread != Thread.currentThread() || !caller.open
        ? call.get()
        : caller.all.offering(caller, call);
  }

  @Override
  public Supplier<CompletableFuture<ReleaseResult>> giving(Returnable lease) {
    return () -> offering(this, lease::release);
  }

  /** Takes a call that is to be made by {@link #run}; one for each operation. */
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
   * What to do when the time is over.
   *
   * @param giveUp ends the call's stage; {@link #ended} has to follow
   */
  void limitedBy(Runnable giveUp) {
    limit = giveUp;
  }

  /** The call was made, or its stage has ended: after both nobody has to watch any more. */
  void ended() {
    if (underWay.decrementAndGet() == 0) {
      all.remove(this);
    }
  }

  /** Whether nobody waits for what the call ends with. */
  boolean isUnwanted() {
    return unwanted;
  }

  /**
   * Makes the call that was left to this thread, if any was. To be followed by a wait.
   *
   * @param outcome what is waited for
   * @param onInterrupt gives the operation up; null if an interrupt doesn't end it
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

  /** The operation ended before it came to wait: another thread makes the call. */
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

  /** Ends the call if it may not go on. By another thread. */
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
      return; // what is still under way needs nothing but its limit
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

  /** Nobody waits any more: the manager is closed. */
  void cut() {
    CallersCall mine = call;
    if (mine != null) {
      end(mine);
    }
  }
}
