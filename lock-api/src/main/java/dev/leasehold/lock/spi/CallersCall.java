package dev.leasehold.lock.spi;

/**
 * A blocking call of a store that the thread of a lock operation's caller may make itself, since it
 * waits for the outcome anyway. See {@link StoreContext#byCaller}.
 */
public interface CallersCall {

  /** Makes it and tells its outcome, on the caller's thread. Must not throw. */
  void run();

  /** Has it made by another thread: the caller left before it came to it. */
  void runElsewhere();

  /**
   * Ends a run that is under way, soon: nobody wants its outcome any more, or its time is over. By
   * any thread, at any time, also more than once; must not block.
   */
  void cut();
}
