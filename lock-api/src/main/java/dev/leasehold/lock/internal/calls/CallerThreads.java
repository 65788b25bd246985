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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of blocking lock operations that make a blocking call to the store themselves. While
 * there are any, they are checked every 20 ms, so that none stays in its call after the command
 * time-out, an interrupt, or the end of the operation. Thread-safe.
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

  // One for each manager: the store of one may be built on the locks of another.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<CallerThread> offered = new ThreadLocal<>();

  /** Whether the store leaves calls to callers. */
  private volatile boolean wanted;

  public CallerThreads(Scheduler scheduler, Ticker ticker, Duration timeout) {
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.timeout = timeout;
  }

  /** Returns whether the store leaves calls to callers, as far as is known. */
  public boolean areWanted() {
    return wanted;
  }

  /**
   * Returns this thread, for a blocking operation. Null if it must not make the call itself:
   * virtual threads would be pinned, or close their sockets on an interrupt, and pools of {@link
   * ForkJoinWorkerThread}s start others only for threads that are known to wait.
   */
  @Nullable
  public CallerThread here() {
    return wanted && !(Thread.currentThread() instanceof ForkJoinWorkerThread) && !isVirtualHere()
        ? new CallerThread(this)
        : null;
  }

  /**
   * Runs a release whose thread waits for its end, and may make the call to the store itself. The
   * caller must wait for the returned future.
   *
   * @param release gets the caller whose thread may make the call; null if none may
   */
  public CompletableFuture<Void> releasing(
      Function<@Nullable CallerThread, CompletableFuture<Void>> release) {
    CallerThread caller = here();
    if (caller == null) {
      return release.apply(null);
    }
    boolean released = false;
    try {
      CompletableFuture<Void> end = release.apply(caller);
      released = true;
      caller.run(end, null);
      return end;
    } finally {
      if (!released) {
        caller.leave();
      }
    }
  }

  private static @Nullable MethodHandle isVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException none) { // before Java 21, or inaccessible
      return null;
    }
  }

  private static boolean isVirtualHere() {
    try {
      return IS_VIRTUAL == null
          ? HAS_VIRTUAL
          : (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      return true; // unknown: treated as virtual
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

  /** Returns the caller's thread that accepted the current call; null if there is none. */
  @Nullable CallerThread taker() {
    CallerThread caller = wanted ? offered.get() : null;
    return caller != null && caller.hasCall() ? caller : null;
  }

  /** Watches a thread. Returns false if it can't be watched. */
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
      watching.set(false); // the next one tries again
      throw e;
    }
  }

  private void look() {
    long now = ticker.nanos();
    active.forEach(caller -> Outbox.quietly(() -> caller.look(now)));
    if (active.isEmpty()) {
      watching.set(false);
      if (!active.isEmpty()) {
        watch(); // one was added meanwhile
      }
    } else {
      lookLater();
    }
  }
}
