package dev.leasehold.redis.setnx;

/** How locks are stored on the server. */
public enum SetnxScheme {
  /**
   * {@code SETNX} and {@code PEXPIRE} in one script, with the owner's token, fencing and wake-ups.
   * For servers that support scripts but not {@code SET NX PX}. Has all guarantees of {@code
   * redis-set}, and uses the same keys: locks of the two exclude each other.
   */
  SETNX_SCRIPT,
  /**
   * The expiry and the owner's token as value, changed by {@code WATCH}, {@code GET} and {@code
   * MULTI}: for servers where scripts are not permitted. Depends on a clock; waiters poll.
   */
  SETNX_TIMESTAMP,
  /** The format of the PHP lock on Yii2's Redis connection: whole seconds, now + time-out. */
  YII2,
  /** The format of Ruby's redis-objects: seconds with a fraction. */
  REDIS_OBJECTS,
  /** Milliseconds, now + time-out, as in articles about Java. */
  MILLIS,
  /** Seconds, now + time-out + 1, as on Redis' page of the command. */
  SECONDS
}
