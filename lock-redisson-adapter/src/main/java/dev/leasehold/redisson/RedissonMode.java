package dev.leasehold.redisson;

/** Which of Redisson's locks is shared. All users of a name must use the same. */
public enum RedissonMode {
  /** {@code RLock}: granted to the first request that finds it free. */
  PLAIN,
  /** {@code RFairLock}: in the order of arrival, across processes. */
  FAIR
}
