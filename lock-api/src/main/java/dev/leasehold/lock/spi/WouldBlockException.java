package dev.leasehold.lock.spi;

/**
 * A call offered to a lock operation's caller must be made on a thread of the manager instead,
 * because it would wait for something that cannot be cut off. Nothing has been done.
 *
 * @see BlockingLeaseStore.Cuttable#make
 */
public final class WouldBlockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception without message and stack trace, since only {@link BlockingLeaseStore}
   * handles it.
   */
  public WouldBlockException() {
    super(null, null, false, false);
  }
}
