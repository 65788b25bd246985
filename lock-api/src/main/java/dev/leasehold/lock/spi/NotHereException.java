package dev.leasehold.lock.spi;

/**
 * That a call which was left to a lock operation's caller has to be made on a thread of the
 * manager: it would have to wait for what can't be cut off. Nothing has been done.
 *
 * @see BlockingLeaseStore.Cuttable#make
 */
public final class NotHereException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says nothing more, since nobody but {@link BlockingLeaseStore} sees it. */
  public NotHereException() {
    super(null, null, false, false);
  }
}
