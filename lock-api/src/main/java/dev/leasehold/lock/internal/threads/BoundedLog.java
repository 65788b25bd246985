package dev.leasehold.lock.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Warnings of one kind: at most ten in ten seconds, and then the number of those left out. Written
 * on callback threads, since a log may be slow. Thread-safe.
 */
public final class BoundedLog {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int MOST = 10;

  private final String kind;
  private final Executor writers;
  private final Ticker ticker;
  private final Scheduler scheduler;
  private final ReentrantLock mutex = new ReentrantLock();

  @GuardedBy("mutex")
  private boolean begun;

  @GuardedBy("mutex")
  private long windowBegan;

  @GuardedBy("mutex")
  private int said;

  @GuardedBy("mutex")
  private long unsaid;

  /** Whether a timer is set that logs how many more. */
  private final AtomicBoolean timed = new AtomicBoolean();

  public BoundedLog(String kind, Executor writers, Ticker ticker, Scheduler scheduler) {
    this.kind = kind;
    this.writers = writers;
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  /**
   * Logs a line, or counts it if there are too many.
   *
   * @param line logs it; code of the caller, since logs such as the JDK's name the calling class
   */
  public void warn(Runnable line) {
    if (mayStill()) {
      write(line);
    }
  }

  private void write(Runnable line) {
    writers.execute(() -> Outbox.quietly(line));
  }

  private boolean mayStill() {
    mutex.lock();
    try {
      long now = ticker.nanos();
      if (!begun || now - windowBegan >= WINDOW.toNanos()) {
        begun = true;
        windowBegan = now;
        said = 0;
      }
      if (said < MOST) {
        said++;
        return true;
      }
      unsaid++;
    } finally {
      mutex.unlock();
    }
    if (timed.compareAndSet(false, true)) {
      try {
        scheduler.schedule(WINDOW, this::sayHowManyMore);
      } catch (RuntimeException | Error e) { // what is logged goes on; the next line tries again
        timed.set(false);
      }
    }
    return false;
  }

  private void sayHowManyMore() {
    long more;
    timed.set(false); // first: a line that is left out meanwhile sets it again
    mutex.lock();
    try {
      more = unsaid;
      unsaid = 0;
    } finally {
      mutex.unlock();
    }
    if (more == 0) {
      return; // a timer before has counted them
    }
    String line = more + " more " + kind + " are not listed";
    write(() -> LOG.log(Level.WARNING, line));
  }
}
