package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.spi.CallersCall;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of blocking lock operations that make a blocking call to the store themselves, and
 * the watch over them: looked at every 20 ms while there are any, so that none stays in its call
 * after the command time-out, an interrupt, or the end of what it waits for. Thread-safe.
 */
public final class CallerThreads {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

  private final Scheduler scheduler;
  private final Ticker ticker;
  private final Duration timeout;
  private final Set<CallerThread> active = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watching = new AtomicBoolean();

  // Not for all managers: the store of one may be built on the locks of another.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<CallerThread> offered = new ThreadLocal<>();

  /** Whether the store would leave calls to callers. */
  private volatile boolean wanted;

  public CallerThreads(Scheduler scheduler, Ticker ticker, Duration timeout) {
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.timeout = timeout;
  }

  /**
   * This thread, about to wait in a blocking operation. Null if it may make no call itself: virtual
   * threads would be pinned, or closed their sockets by an interrupt, and pools of {@link
   * ForkJoinWorkerThread}s put others in the place of those that are seen to wait.
   */
  @Nullable
  public CallerThread here() {
    return wanted && !(Thread.currentThread() instanceof ForkJoinWorkerThread) && !isVirtualHere()
        ? new CallerThread(this)
        : null;
  }

  private static @Nullable MethodHandle isVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException none) { // before Java 21, or out of reach
      return null;
    }
  }

  private static boolean isVirtualHere() {
    try {
      return IS_VIRTUAL == null
          ? HAS_VIRTUAL
          : (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      return true; // not known: as if it were
    }
  }

  <T> T offering(CallerThread caller, Supplier<T> call) {
    offered.set(caller);
    try {
      return call.get();
    } finally {
      offered.remove();
    }
  }

  /** As {@link dev.leasehold.lock.spi.StoreContext#byCaller}. */
  public boolean take(CallersCall call) {
    CallerThread caller = offered.get();
    if (caller == null) {
      wanted = true;
      return false;
    }
    return caller.take(call, ticker.nanos() + timeout.toNanos());
  }

  /** Who has taken the call that this thread asks the store for; null if nobody has. */
  @Nullable CallerThread taker() {
    CallerThread caller = wanted ? offered.get() : null;
    return caller != null && caller.hasCall() ? caller : null;
  }

  /** Watches one; false if it can't be watched. */
  boolean add(CallerThread caller) {
    active.add(caller);
    try {
      watch();
      return true;
    } catch (RuntimeException | Error e) {
      active.remove(caller);
      return false;
    }
  }

  void remove(CallerThread caller) {
    active.remove(caller);
  }

  private void watch() {
    if (!watching.get() && watching.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    try {
      scheduler.schedule(LOOK, this::look);
    } catch (RuntimeException | Error e) {
      watching.set(false); // who comes next tries again
      throw e;
    }
  }

  private void look() {
    long now = ticker.nanos();
    active.forEach(caller -> Outbox.quietly(() -> caller.look(now)));
    if (active.isEmpty()) {
      watching.set(false);
      if (!active.isEmpty()) {
        watch(); // it came meanwhile
      }
    } else {
      lookLater();
    }
  }
}
