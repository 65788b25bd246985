package dev.leasehold.lock.internal.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.threads.BoundedLog;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the log {@code dev.leasehold.lock}: a warning for each loss, for a store that fails and
 * when it recovers, for a hold that can't be released any more, and for one that a close waits for;
 * in bounded numbers. In normal operation it writes nothing. Thread-safe.
 */
public final class EngineLog {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");
  private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(10);

  private final Ticker ticker;
  private final String label;
  private final BoundedLog losses;
  private final BoundedLog abandoned;
  private final BoundedLog unreleased;
  private final BoundedLog store;
  private final ReentrantLock mutex = new ReentrantLock();

  /** Whether the last call failed. */
  private volatile boolean failing;

  /** Whether the log says that it fails. */
  @GuardedBy("mutex")
  private boolean told;

  @GuardedBy("mutex")
  private boolean everTold;

  @GuardedBy("mutex")
  private long toldAt;

  @GuardedBy("mutex")
  private long failingSince;

  @GuardedBy("mutex")
  private long failures;

  public EngineLog(Events events, Ticker ticker, Scheduler scheduler, String label) {
    this.ticker = ticker;
    this.label = label;
    this.losses = new BoundedLog("losses", events::run, ticker, scheduler);
    this.abandoned = new BoundedLog("abandoned holds", events::run, ticker, scheduler);
    this.unreleased = new BoundedLog("locks still held", events::run, ticker, scheduler);
    this.store = new BoundedLog("messages of the store", events::run, ticker, scheduler);
  }

  // ---- holds ----

  /** A hold, as the log describes it. */
  public interface Held {
    /** Returns the lock's kind and name, in words. */
    String lockWords();

    /** Since when. */
    long begun();

    /** The owner, in words. */
    String ownerText();

    /** Returns where it was acquired, if that is recorded. */
    @Nullable Throwable origin();
  }

  public void lost(Held hold, LeaseLoss loss) {
    losses.warn(
        line(
            described(hold) + " was lost: " + loss.reason() + ", " + loss.detail(), hold.origin()));
  }

  public void abandoned(Held hold, boolean expires) {
    abandoned.warn(
        line(
            described(hold)
                + " can't be released any more: its handle was garbage-collected; "
                + (expires
                    ? "it ends with its lease"
                    : "it is still renewed (lock.abandoned = keep)"),
            hold.origin()));
  }

  public void unreleased(Held hold, Duration grace) {
    unreleased.warn(
        line(
            described(hold)
                + " is not released although the manager is being closed; after "
                + shown(grace)
                + " it is left to expire",
            hold.origin()));
  }

  private String described(Held hold) {
    return "lease of "
        + hold.lockWords()
        + ", held for "
        + shown(Duration.ofNanos(ticker.nanos() - hold.begun()))
        + " by "
        + hold.ownerText()
        + " of "
        + label
        + ",";
  }

  // ---- the store ----

  /** A call failed. */
  public void storeFailed(
      String operation, LockKind kind, String lockName, LockStoreException cause) {
    mutex.lock();
    try {
      long now = ticker.nanos();
      failures++;
      if (!failing) {
        failing = true;
        failingSince = now;
      }
      if (told || (everTold && now - toldAt < BETWEEN_FAILURES.toNanos())) {
        return; // counted, and said when it is back, or fails again later
      }
      told = true;
      everTold = true;
      toldAt = now;
    } finally {
      mutex.unlock();
    }
    store.warn(line("the store fails (" + operation + " of " + kind.named(lockName) + ")", cause));
  }

  /** A call was answered. */
  public void storeAnswered() {
    if (!failing) {
      return;
    }
    Duration lasted;
    long count;
    mutex.lock();
    try {
      if (!failing) {
        return;
      }
      failing = false;
      if (!told) {
        return;
      }
      told = false;
      lasted = Duration.ofNanos(ticker.nanos() - failingSince);
      count = failures;
      failures = 0;
    } finally {
      mutex.unlock();
    }
    store.warn(
        line(
            "the store answers again after " + shown(lasted) + "; calls that failed: " + count,
            null));
  }

  private static Runnable line(String text, @Nullable Throwable cause) {
    return () -> LOG.log(Level.WARNING, text, cause);
  }

  /** Returns the time in whole seconds, or in milliseconds below ten seconds. */
  private static String shown(Duration time) {
    return Setting.written(
        time.compareTo(Duration.ofSeconds(10)) < 0
            ? Duration.ofMillis(time.toMillis())
            : Duration.ofSeconds(time.toSeconds()));
  }
}
