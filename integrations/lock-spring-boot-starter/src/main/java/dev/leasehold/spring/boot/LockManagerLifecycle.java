package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the manager when the application ends: after web requests were waited for, when the {@link
 * dev.leasehold.methods.Locked} methods that run have ended, and before connection factories stop,
 * which is in phase 0. It waits for them until so much is left of {@code
 * spring.lifecycle.timeout-per-shutdown-phase} as closing takes: then waiters fail, and other
 * holders have {@code leasehold.close-grace} to release.
 */
final class LockManagerLifecycle implements SmartLifecycle {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

  /** Of Spring's, schedulers are at half of the most, and web servers above. */
  static final int PHASE = Integer.MAX_VALUE / 4;

  private final ConfigurableListableBeanFactory beans;
  private final RunningCalls calls;
  private final Duration patience;
  private volatile boolean running;

  /**
   * For the managers of a context, but not its parent's.
   *
   * @param patience how long it waits for calls
   */
  LockManagerLifecycle(
      ConfigurableListableBeanFactory beans, RunningCalls calls, Duration patience) {
    this.beans = beans;
    this.calls = calls;
    this.patience = patience;
  }

  /** What is left of a phase of the shutdown when closing has had its time. */
  static Duration patience(Duration phase, Duration grace) {
    Duration left = phase.minus(grace).minusSeconds(1);
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    // One that nobody has asked for yet is not made in order to be closed.
    for (String name : beans.getBeanNamesForType(LockManager.class, false, false)) {
      if (beans.getSingleton(name) instanceof LockManager manager) {
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
                if (!calls.awaitNone(patience)) {
                  LOG.log(
                      Level.WARNING,
                      "@Locked methods still run after {0}: their locks are closed",
                      patience);
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

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
