package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;

/**
 * Refusals of values that no client of the scheme writes. Its writer judges by other rules who
 * holds the lock: taking the lock would be wrong, and waiting for it might never end.
 */
final class ForeignValues {
  private ForeignValues() {}

  /** A refusal that names the key and its value, to be thrown in a conversation. */
  static LockStoreException value(byte[] key, byte[] value, String wanted) {
    return new LockStoreException(
        Kind.REFUSED,
        "the key '%s' holds '%s', which is not %s; do clients of another scheme use it?"
            .formatted(new String(key, UTF_8), new String(value, UTF_8), wanted));
  }
}
