package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;

/**
 * Values that nobody of a scheme writes. Whoever wrote one has other ideas of who holds the lock:
 * to take it would be wrong, and to wait for it might never end.
 */
final class Strange {
  private Strange() {}

  /** A refusal that names the key and what it holds, to be thrown in a conversation. */
  static LockStoreException value(byte[] key, byte[] value, String wanted) {
    return new LockStoreException(
        Kind.REFUSED,
        "the key '%s' holds '%s', which is not %s; do clients of another scheme use it?"
            .formatted(new String(key, UTF_8), new String(value, UTF_8), wanted));
  }
}
