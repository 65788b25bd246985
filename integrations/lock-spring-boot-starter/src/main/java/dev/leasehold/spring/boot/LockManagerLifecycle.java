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
 * is in phase 0. It waits for these methods for a {@linkplain ClosingTime limited time}: then
 * waiters fail, and the remaining holders have the manager's grace to release.
 *
 * <p>A paused context, as Spring 7's test framework keeps in its cache, locks again after a
 * restart, unless the manager uses a resource of a connection factory: that ends with the pause,
 * and so does the manager.
 */
final class LockManagerLifecycle implements SmartLifecycle {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

  /** Spring's schedulers are at half of the maximum, web servers above. */
  static final int PHASE = Integer.MAX_VALUE / 4;

  private final ConfigurableListableBeanFactory beans;
  private final RunningCalls calls;
  private final ClosingTime time;
  private final BooleanSupplier endsWithFactory;
  private final ShutdownLog log = new ShutdownLog();
  private volatile boolean running;
  private volatile boolean closed;

  /**
   * For the managers of a context, but not its parent's.
   *
   * @param time how long to wait for calls
   * @param endsWithFactory whether the manager's connection ends when connection factories stop
   */
  LockManagerLifecycle(
      ConfigurableListableBeanFactory beans,
      RunningCalls calls,
      ClosingTime time,
      BooleanSupplier endsWithFactory) {
    this.beans = beans;
    this.calls = calls;
    this.time = time;
    this.endsWithFactory = endsWithFactory;
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
    log.keepOpen();
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
    log.keepOpen();
    Thread thread =
        new Thread(
            () -> {
              try {
                Duration patience = time.forCalls();
                boolean ended = calls.awaitNone(patience);
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
