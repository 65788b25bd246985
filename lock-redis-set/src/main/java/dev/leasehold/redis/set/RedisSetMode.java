package dev.leasehold.redis.set;

/** What is written to Redis for a lock. */
public enum RedisSetMode {
  /**
   * Keys of our own layout, all below {@code lh:}: with fencing tokens, and a release wakes a
   * waiter. The default.
   */
  FENCED,

  /**
   * The lock's name is the key, the owner's token its value, and nothing else is written: what
   * Redlock-family clients of other languages write and read, so that the lock is shared with them.
   * Without fencing; waiters poll.
   */
  PLAIN
}
