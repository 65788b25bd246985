package dev.leasehold.testkit.proxy;

import java.time.Duration;

/** A fault that is in force until it is closed. Thread-safe. */
public interface ActiveFault extends AutoCloseable {

  /** How many commands, or for a fault of the whole proxy connections, it has befallen so far. */
  int hits();

  /**
   * Waits until it has befallen so many.
   *
   * @return false if it had not by then
   */
  boolean awaitHits(int atLeast, Duration atMost) throws InterruptedException;

  /**
   * Ends the fault: what it held back goes on, and connections that lost something by it are cut.
   * Closing again does nothing.
   */
  @Override
  void close();
}
