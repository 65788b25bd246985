package dev.leasehold.redis.setnx;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How locks are kept on the server. */
public enum SetnxScheme {
  /**
   * {@code SETNX} and {@code PEXPIRE} in one script, with the owner's token, fencing and wake-ups.
   * Works for servers that know scripts but not {@code SET NX PX}. Keeps everything that {@code
   * redis-set} keeps, on the same keys: the two exclude each other.
   */
  SETNX_SCRIPT,
  /**
   * The expiry and the owner's token as value, taken over by {@code WATCH}, {@code GET} and {@code
   * MULTI}: for servers whose user may not run scripts. Depends on a clock, and wakes nobody.
   */
  SETNX_TIMESTAMP,
  /** The format of the PHP lock on Yii2's Redis connection: whole seconds, now + time-out. */
  YII2,
  /** The format of Ruby's redis-objects: seconds with a fraction. */
  REDIS_OBJECTS,
  /** Milliseconds, now + time-out, as Java articles write it. */
  MILLIS,
  /** Seconds, now + time-out + 1, as the Redis command page writes it. */
  SECONDS;

  /** What the setting calls it. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(SetnxScheme::id).toList();
  }

  static SetnxScheme of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
