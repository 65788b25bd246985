package dev.leasehold.testkit.fault;

/** The operations of a store. */
public enum Op {
  /** {@link dev.leasehold.lock.spi.LeaseStore#acquire}. */
  ACQUIRE,
  /** {@link dev.leasehold.lock.spi.LeaseStore#renew}, for each lease of a batch. */
  RENEW,
  /** {@link dev.leasehold.lock.spi.LeaseStore#release}. */
  RELEASE,
  /** {@link dev.leasehold.lock.spi.MinimumHold#keep}. */
  KEEP,
  /** {@link dev.leasehold.lock.spi.LeaseStore#leave}, and the same for a latch. */
  LEAVE,
  /**
   * {@link dev.leasehold.lock.spi.LeaseStore#watch}, the same for a latch, and {@link
   * dev.leasehold.lock.spi.RecallStore#onRecall}.
   */
  WATCH,
  /** {@link dev.leasehold.lock.spi.RecallStore#recall}. */
  RECALL,
  /** {@link dev.leasehold.lock.spi.LeaseStore#inspect}. */
  INSPECT,
  /** {@link dev.leasehold.lock.spi.Latches#open}. */
  OPEN,
  /** {@link dev.leasehold.lock.spi.Latches#countDown}. */
  COUNT_DOWN,
  /** {@link dev.leasehold.lock.spi.Latches#look}. */
  LOOK
}
