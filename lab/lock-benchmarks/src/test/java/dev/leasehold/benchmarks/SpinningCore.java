package dev.leasehold.benchmarks;

/**
 * Keeps one core busy by a thread that spins. The cores of an idle machine enter sleep states, and
 * waking them can take longer than the server takes to reply.
 */
final class SpinningCore {
  private final Thread thread = new Thread(this::spin, "spinning-core");
  private volatile boolean stopped;

  private SpinningCore() {}

  static SpinningCore start() {
    SpinningCore core = new SpinningCore();
    core.thread.setDaemon(true);
    core.thread.start();
    return core;
  }

  /** Without {@link Thread#onSpinWait}: at that, a hypervisor may give the core to others. */
  private void spin() {
    while (!stopped) {
      // nothing else
    }
  }

  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
  }

  /** For a test. */
  boolean isSpinning() {
    return thread.isAlive();
  }
}
