package dev.leasehold.testkit.sim;

/**
 * A message that is about to be sent.
 *
 * @param client name of the client's node
 * @param server name of the server's node
 * @param operation the requested operation
 * @param lock name of the lock; of the first one, for a batch
 * @param number the number of messages of this operation sent before on this connection
 */
public record SimCall(String client, String server, Operation operation, String lock, long number) {

  /** The requested operation. */
  public enum Operation {
    /**
     * {@link dev.leasehold.lock.spi.LeaseStore#acquire}, or {@link
     * dev.leasehold.lock.spi.quorum.QuorumNode#vote}.
     */
    ACQUIRE,
    /** {@link dev.leasehold.lock.spi.quorum.QuorumNode#raise}. */
    RAISE,
    /** {@link dev.leasehold.lock.spi.LeaseStore#renew}; a batch is one message. */
    RENEW,
    /** {@link dev.leasehold.lock.spi.LeaseStore#release}. */
    RELEASE,
    /** {@link dev.leasehold.lock.spi.MinimumHold#keep}. */
    KEEP,
    /** {@link dev.leasehold.lock.spi.LeaseStore#leave}. */
    LEAVE,
    /** {@link dev.leasehold.lock.spi.LeaseStore#watch}. */
    WATCH,
    /** {@link dev.leasehold.lock.spi.RecallStore#recall}. */
    RECALL,
    /** {@link dev.leasehold.lock.spi.LeaseStore#inspect}. */
    INSPECT,
    /** A wake-up, from the server to the client: there is no answer. */
    WAKE_UP
  }
}
