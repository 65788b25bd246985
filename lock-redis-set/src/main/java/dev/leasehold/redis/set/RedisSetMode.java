package dev.leasehold.redis.set;

/** The layout of a lock's keys. */
public enum RedisSetMode {
  /**
   * Keys of our own layout, all beginning with {@code lh:}. With fencing tokens, and a release
   * wakes a waiter. The default.
   */
  FENCED,

  /**
   * The lock's name is the key, the owner's token its value, and nothing else is written. Redlock
   * clients in other languages use the same keys, so the lock can be shared with them. Without
   * fencing; waiters poll.
   */
  PLAIN
}
