package dev.leasehold.lock.spi;

/**
 * A blocking store call that the thread calling a lock operation may make itself, since it waits
 * for the outcome anyway. See {@link StoreContext#byCaller}.
 */
public interface CallersCall {

  /** Makes the call and reports its outcome, on the caller's thread. Must not throw. */
  void run();

  /** Has another thread make the call, because the caller left before making it. */
  void runElsewhere();

  /**
   * Ends a running call soon, because its outcome is no longer needed or its time has passed. May
   * be called by any thread, at any time and repeatedly; must not block.
   */
  void cut();
}
