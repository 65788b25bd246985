package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the manager when the application ends: after web requests were waited for, when the {@link
 * dev.leasehold.methods.Locked} methods that run have ended, and before connection factories stop,
 * which is in phase 0. Waits for as long as {@code spring.lifecycle.timeout-per-shutdown-phase}.
 * Then waiters fail, and other holders have {@code leasehold.close-grace} to release.
 */
final class LockManagerLifecycle implements SmartLifecycle {
  /** Of Spring's, schedulers are at half of the most, and web servers above. */
  static final int PHASE = Integer.MAX_VALUE / 4;

  private final ObjectProvider<LockManager> managers;
  private final RunningCalls calls;
  private volatile boolean running;

  LockManagerLifecycle(ObjectProvider<LockManager> managers, RunningCalls calls) {
    this.managers = managers;
    this.calls = calls;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    managers.stream().forEach(LockManager::close);
  }

  @Override
  public void stop(Runnable callback) {
    Thread thread =
        new Thread(
            () -> {
              try {
                calls.awaitNone();
                stop();
              } catch (InterruptedException nobodyDoes) {
                Thread.currentThread().interrupt();
              } finally {
                callback.run();
              }
            },
            "leasehold-shutdown");
    thread.setDaemon(true); // a call may never end
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
