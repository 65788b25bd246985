package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What users give in place of the engine's own: it may be shut down before the manager, be full, or
 * throw. Then the engine's own does the task, once.
 */
final class Given {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private Given() {}

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

  static Scheduler scheduler(Scheduler given, Scheduler own) {
    Warning warning = new Warning("scheduler " + given);
    return (delay, task) -> {
      Once once = new Once(task);
      try {
        return Objects.requireNonNull(given.schedule(delay, once), "what cancels the task");
      } catch (RuntimeException | Error refused) {
        warning.of(refused);
        return own.schedule(delay, once);
      }
    };
  }

  /** A task that is done once, even if an executor does it and then throws. */
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

  /** Said once: an executor that refuses one task refuses many. */
  private static final class Warning {
    private final String who;
    private final AtomicBoolean said = new AtomicBoolean();

    Warning(String who) {
      this.who = who;
    }

    void of(Throwable refused) {
      if (said.compareAndSet(false, true)) {
        Outbox.quietly(
            () ->
                LOG.log(Level.WARNING, who + " refused a task; the lock manager does it", refused));
      }
    }
  }
}
