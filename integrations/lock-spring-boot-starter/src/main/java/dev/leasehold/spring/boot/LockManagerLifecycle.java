package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.Setting;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the manager at shutdown: after web requests and running {@link
 * dev.leasehold.methods.Locked} methods have finished, and before connection factories stop, which
 * is in phase 0. It waits for these methods for {@code spring.lifecycle.timeout-per-shutdown-phase}
 * less the time needed for closing: then waiters fail, and the remaining holders have {@code
 * leasehold.close-grace} to release.
 *
 * <p>A paused context, as Spring 7's test framework keeps in its cache, locks again after a
 * restart, unless the manager uses a resource of a connection factory: that ends with the pause,
 * and so does the manager.
 */
final class LockManagerLifecycle implements SmartLifecycle {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

  /** Spring's property for the length of a shutdown phase. */
  static final String TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

  /** Spring's schedulers are at half of the maximum, web servers above. */
  static final int PHASE = Integer.MAX_VALUE / 4;

  private final ConfigurableListableBeanFactory beans;
  private final RunningCalls calls;
  private final Duration patience;
  private final BooleanSupplier endsWithFactory;
  private final ShutdownLog log = new ShutdownLog();
  private volatile boolean running;
  private volatile boolean closed;

  /**
   * For the managers of a context, but not its parent's.
   *
   * @param patience how long to wait for calls
   * @param endsWithFactory whether the manager's connection ends when connection factories stop
   */
  LockManagerLifecycle(
      ConfigurableListableBeanFactory beans,
      RunningCalls calls,
      Duration patience,
      BooleanSupplier endsWithFactory) {
    this.beans = beans;
    this.calls = calls;
    this.patience = patience;
    this.endsWithFactory = endsWithFactory;
  }

  /** The time left in a shutdown phase after the time needed for closing. */
  static Duration patience(Duration phase, Duration grace) {
    Duration left = phase.minus(grace).minusSeconds(1);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Warns if closing takes all of a shutdown phase. */
  static void warnOfNoTime(Duration phase, Duration grace) {
    if (!patience(phase, grace).isZero()) {
      return;
    }
    boolean outlasts = grace.compareTo(phase) >= 0;
    LOG.log(
        Level.WARNING,
        "leasehold.close-grace = {0} leaves "
            + (outlasts ? "nothing" : "a second or less")
            + " of {1} = {2}: at shutdown, waiters for locks fail at once, and running @Locked"
            + " methods have no time to end before their locks are closed"
            + (outlasts
                ? ". After {2} connection factories stop, even if locks are still held"
                : "")
            + ". Make the grace shorter, or the phase longer: their difference less a second is"
            + " what these methods have",
        Setting.written(grace),
        TIMEOUT,
        Setting.written(phase));
  }

  @Override
  public void start() {
    if (closed) {
      LOG.log(
          Level.WARNING,
          "the context was started again, and its locks are closed for good. In tests set the"
              + " system property spring.test.context.cache.pause=never, or give locks a connection"
              + " of their own there: leasehold.redis.uri");
    }
    log.remember();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    // A manager that was never used is not created only to be closed.
    for (String name : beans.getBeanNamesForType(LockManager.class, false, false)) {
      if (beans.getSingleton(name) instanceof LockManager manager) {
        closed = true;
        manager.close();
      }
    }
  }

  @Override
  public void stop(Runnable callback) {
    Thread thread =
        new Thread(
            () -> {
              try {
                boolean ended = calls.awaitNone(patience);
                log.reopen(); // as late as possible: the JDK closes it at the same time
                if (!ended) {
                  LOG.log(
                      Level.WARNING,
                      "@Locked methods still run after {0}: their locks are closed",
                      Setting.written(patience));
                }
                stop();
              } catch (InterruptedException nobodyDoes) {
                Thread.currentThread().interrupt();
              } finally {
                callback.run();
              }
            },
            "leasehold-shutdown");
    thread.setDaemon(true); // a store may not answer for long
    thread.start();
  }

  /**
   * Overrides a method that Spring has from version 7 on. If false, a pause neither stops nor
   * restarts this bean.
   *
   * @return whether it takes part in a pause
   */
  public boolean isPauseable() {
    return endsWithFactory.getAsBoolean();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
