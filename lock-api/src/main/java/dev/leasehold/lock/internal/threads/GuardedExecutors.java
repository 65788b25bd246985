package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Wraps executors and schedulers that users pass in. They may be shut down before the manager, be
 * full, or throw; then the engine's own run the task, once.
 */
public final class GuardedExecutors {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  /** The clock of the engine's own timers. */
  private static final Ticker REAL = Ticker.system();

  private GuardedExecutors() {}

  static Executor executor(Executor given, Executor own) {
    Warning warning = new Warning("executor " + given);
    return task -> {
      Once once = new Once(task);
      try {
        given.execute(once);
      } catch (RuntimeException | Error refused) {
        warning.of(refused);
        own.execute(once);
      }
    };
  }

  public static Scheduler scheduler(Scheduler given, Scheduler own) {
    return new Timed(given, own);
  }

  /** It may drop tasks that it accepted: once it refuses one, all pending tasks get own timers. */
  private static final class Timed implements Scheduler {
    private final Scheduler given;
    private final Scheduler own;
    private final Warning warning;
    private final Set<Waiting> all = ConcurrentHashMap.newKeySet();

    Timed(Scheduler given, Scheduler own) {
      this.given = given;
      this.own = own;
      this.warning = new Warning("scheduler " + given);
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
      Waiting mine = new Waiting(task, REAL.nanos() + delay.toNanos());
      all.add(mine);
      Scheduled timer;
      try {
        timer = Objects.requireNonNull(given.schedule(delay, mine), "what cancels the task");
      } catch (RuntimeException | Error refused) {
        warning.of(refused);
        mine.moves(); // throws what the engine's own scheduler throws
        all.forEach(other -> Outbox.quietly(other::moves));
        return mine;
      }
      return () -> {
        mine.cancel(); // first, since the user's may throw
        timer.cancel();
      };
    }

    private final class Waiting implements Runnable, Scheduled {
      private final Once once;
      private final long due;

      /** The engine's own timer for it, if it has moved there. */
      private volatile @Nullable Scheduled moved;

      private volatile boolean cancelled;

      Waiting(Runnable task, long due) {
        this.once =
            new Once(
                () -> {
                  if (!cancelled) { // cancelling the user's timer may fail, or happen during the
                    // move
                    task.run();
                  }
                });
        this.due = due;
      }

      @Override
      public void run() {
        all.remove(this);
        once.run();
      }

      @Override
      public void cancel() {
        cancelled = true;
        all.remove(this);
        Scheduled timer = moved;
        if (timer != null) {
          timer.cancel();
        }
      }

      void moves() {
        if (all.remove(this)) {
          Scheduled timer = own.schedule(Duration.ofNanos(Math.max(0, due - REAL.nanos())), once);
          moved = timer;
          if (cancelled) { // cancelled meanwhile, before the timer was set
            timer.cancel();
          }
        }
      }
    }
  }

  /** A task that runs once, even if an executor runs it and then throws. */
  private static final class Once extends AtomicBoolean implements Runnable {
    private static final long serialVersionUID = 1L;
    private final transient Runnable task;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (compareAndSet(false, true)) {
        Outbox.quietly(task);
      }
    }
  }

  /** Logged once: an executor that refuses one task refuses many. */
  private static final class Warning {
    private final String service;
    private final AtomicBoolean said = new AtomicBoolean();

    Warning(String service) {
      this.service = service;
    }

    void of(Throwable refused) {
      if (said.compareAndSet(false, true)) {
        Outbox.quietly(
            () ->
                LOG.log(
                    Level.WARNING, service + " refused a task; the lock manager runs it", refused));
      }
    }
  }
}
