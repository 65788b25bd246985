package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys and the channel of one lock, as bytes.
 *
 * <p>All begin with {@code lh:} and share the hash tag <code>{name}</code>: one cluster slot, and
 * one ACL pattern ({@code lh:*}) for all. In the tag {@code %}, <code>{</code> and <code>}</code>
 * are written as {@code %25}, {@code %7B} and {@code %7D}, so a tag ends at the first closing brace
 * and two names never share a key. Immutable; the arrays must not be changed.
 *
 * @param lock <code>lh:{name}</code>: a string, the holder's token
 * @param fence <code>lh:{name}:fence</code>: a string, a {@link StoredFence}
 * @param waiters <code>lh:{name}:wait</code>: a sorted set, waiters by time of arrival
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
public record LockKeys(byte[] lock, byte[] fence, byte[] waiters) {
  private static final byte[] PREFIX = utf8("lh:{");

  /** The lock's key with a suffix, for other data of the name. */
  static byte[] after(byte[] lock, String what) {
    byte[] suffix = utf8(what);
    byte[] both = Arrays.copyOf(lock, lock.length + suffix.length);
    System.arraycopy(suffix, 0, both, lock.length, suffix.length);
    return both;
  }

  /**
   * The lock's key alone. Built from bytes for speed: each lease needs it twice.
   *
   * @throws IllegalArgumentException if the name holds a lone surrogate, which UTF-8 can't carry
   */
  public static byte[] lock(String name) {
    checkSurrogates(name);
    byte[] bytes = utf8(name);
    int escapes = 0;
    for (byte b : bytes) {
      escapes += isEscaped(b) ? 1 : 0;
    }
    byte[] key = Arrays.copyOf(PREFIX, PREFIX.length + bytes.length + 2 * escapes + 1);
    int at = PREFIX.length;
    for (byte b : bytes) {
      if (isEscaped(b)) {
        byte[] escape = utf8(String.format("%%%02X", b));
        System.arraycopy(escape, 0, key, at, escape.length);
        at += escape.length;
      } else {
        key[at++] = b;
      }
    }
    key[at] = '}';
    return key;
  }

  private static boolean isEscaped(byte b) {
    return b == '%' || b == '{' || b == '}';
  }

  /**
   * A name as bytes, for plain mode, where the name is the key.
   *
   * @throws IllegalArgumentException as {@link #lock}
   * @throws LockStoreException as refused, if the key is reserved for another use
   */
  public static byte[] plain(String name) {
    checkSurrogates(name);
    checkPlain(name);
    return utf8(name);
  }

  static void checkPlain(String name) {
    if (name.equals(RunGuard.MARKER_NAME)) {
      throw new LockStoreException(
          LockStoreException.Kind.REFUSED,
          "the lock name "
              + Quoted.name(name)
              + " is that of a key which nodes of quorums keep: where names are keys, it can't be a"
              + " lock");
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void checkSurrogates(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < name.length()
                && Character.isLowSurrogate(name.charAt(i + 1));
        if (!pair) {
          throw new IllegalArgumentException(
              "lock name has a lone surrogate at " + i + ", which UTF-8 can't carry");
        }
        i++;
      }
    }
  }
}
