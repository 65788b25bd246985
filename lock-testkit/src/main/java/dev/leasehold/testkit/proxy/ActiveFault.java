package dev.leasehold.testkit.proxy;

import java.time.Duration;

/** A fault that stays active until it is closed. Thread-safe. */
public interface ActiveFault extends AutoCloseable {

  /** The number of commands hit so far, or of connections for a fault of the whole proxy. */
  int hits();

  /**
   * Waits until the fault has hit this many.
   *
   * @return false on a time-out
   */
  boolean awaitHits(int atLeast, Duration atMost) throws InterruptedException;

  /**
   * Ends the fault: whatever it held back goes on, and connections that lost data by it are cut.
   * Idempotent.
   */
  @Override
  void close();
}
