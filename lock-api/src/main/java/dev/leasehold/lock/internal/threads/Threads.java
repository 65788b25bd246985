package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which thread runs what. The engine's own work has threads on which no user code runs, so that
 * user code can't delay it; blocking store calls have their own, or they would delay each other's
 * time-outs.
 */
public final class Threads implements AutoCloseable {
  /** Timers whose tasks run on the timers' own thread, and must not block. */
  public final Scheduler timers;

  /** Timers whose tasks run on {@link #workers}. */
  public final Scheduler scheduler;

  /**
   * As {@link #scheduler}, for what must not be lost: time-outs of calls, and renewals. A given
   * scheduler may be shut down and drop its timers without notice, and one timer serves many calls
   * and leases; so it is the manager's own, unless the time is given as well.
   */
  public final Scheduler timeouts;

  /** As {@link #timeouts}, but the tasks run on the timers' own thread, and must not block. */
  public final Scheduler deadlines;

  /** The engine's own work, which never blocks. */
  public final Executor workers;

  /** Blocking store calls, and other work of a store that its caller does not wait for. */
  public final Executor blocking;

  /** User code. */
  public final Executor callbacks;

  /** The manager's own, used if needed. */
  private final Timers own;

  private final Pool workersPool;
  private final Pool blockingPool;
  private final Pool callbacksPool;

  /**
   * Creates the threads of a manager; executors that are passed in replace its own.
   *
   * @param givenTimers may be null
   * @param givenTime whether their time differs from the machine's, as in a simulation
   * @param givenWorkers may be null; otherwise runs everything that has no executor of its own
   * @param givenCallbacks may be null; tasks are passed to it on a callback thread, since it may
   *     block, or run them at once
   */
  public Threads(
      String label,
      @Nullable Scheduler givenTimers,
      boolean givenTime,
      @Nullable Executor givenWorkers,
      @Nullable Executor givenCallbacks) {
    own = new Timers(daemons("leasehold-timer-" + label));
    if (givenTimers == null) {
      own.start(); // if no thread can be started, fail now
      timers = own;
    } else {
      timers = GuardedExecutors.scheduler(givenTimers, own);
    }
    workersPool = new Pool(daemons("leasehold-" + label), timers);
    blockingPool = new Pool(daemons("leasehold-store-" + label), timers);
    callbacksPool = new Pool(daemons("leasehold-callback-" + label), timers);
    workers =
        givenWorkers == null ? workersPool : GuardedExecutors.executor(givenWorkers, workersPool);
    blocking = givenWorkers == null ? blockingPool : workers;
    Executor handing = givenWorkers == null ? callbacksPool : workers;
    if (givenCallbacks == null) {
      callbacks = handing;
    } else {
      Executor handed = GuardedExecutors.executor(givenCallbacks, Runnable::run);
      callbacks = callback -> handing.execute(() -> handed.execute(callback));
    }
    scheduler = (delay, task) -> timers.schedule(delay, () -> workers.execute(task));
    deadlines = givenTimers == null || givenTime ? timers : own;
    timeouts = (delay, task) -> deadlines.schedule(delay, () -> workers.execute(task));
  }

  /** Creates daemon threads, which inherit nothing from the thread that starts them. */
  static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(null, task, prefix + "-" + count.incrementAndGet(), 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(Threads.class.getClassLoader());
      return thread;
    };
  }

  /** Ends the timers; other threads end when they are idle. */
  @Override
  public void close() {
    own.close();
    workersPool.close();
    blockingPool.close();
    callbacksPool.close();
  }
}
