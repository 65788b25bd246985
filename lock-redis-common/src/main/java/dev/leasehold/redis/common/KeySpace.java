package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.regex.Pattern;

/**
 * All keys and channels of one tenant of a server: {@link LockKeys} and the others, with a prefix.
 * Immutable.
 *
 * <p>Keys of our own layout never coincide with those of another prefix. In plain mode, where a
 * lock's name is its key, they don't as long as neither prefix begins with the other.
 *
 * @param prefix what all keys and channels begin with; may be empty
 */
public record KeySpace(String prefix) {
  /** Allowed prefixes. No braces, which would form a cluster's hash tag, and no wildcards. */
  static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:/-]{1,64}");

  /** Without a prefix. */
  public static final KeySpace WHOLE = new KeySpace("");

  /**
   * With this prefix.
   *
   * @throws IllegalArgumentException if it has characters that are not allowed, or too many
   */
  public KeySpace {
    if (!prefix.isEmpty() && !ALLOWED.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "key prefix '" + prefix + "' is not " + RedisSettings.PREFIX_TYPE);
    }
  }

  /** With the prefix from the settings. */
  public static KeySpace of(LockSettings settings) {
    return settings.find(RedisSettings.KEY_PREFIX).map(KeySpace::new).orElse(WHOLE);
  }

  /** The keys of a name. */
  public LockKeys keys(String name) {
    byte[] lock = lock(name);
    return new LockKeys(lock, LockKeys.after(lock, ":fence"), LockKeys.after(lock, ":wait"));
  }

  /** The lock's key alone. */
  public byte[] lock(String name) {
    return before(LockKeys.lock(name));
  }

  /** A name as key: {@link LockKeys#plain} with the prefix. */
  public byte[] plain(String name) {
    LockKeys.checkPlain(name); // with a prefix, it would be that tenant's marker
    return LockKeys.plain(prefix + name);
  }

  /** <code>lh:{name}</code> with a suffix. */
  byte[] beside(String name, String what) {
    return LockKeys.after(lock(name), what);
  }

  /** The same with each of the suffixes. */
  byte[][] allBeside(String name, String... each) {
    byte[] lock = lock(name);
    byte[][] keys = new byte[each.length][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = LockKeys.after(lock, each[i]);
    }
    return keys;
  }

  /**
   * <code>lh:{name}:gone:token</code>: a string that exists if the token was released while its
   * acquisition may still have been in flight.
   */
  byte[] gone(LeaseKey lease) {
    return beside(lease.name(), ":gone:" + lease.token());
  }

  /**
   * <code>lh:{name}:gone</code>: a string that exists while any token of the name has such a mark.
   */
  byte[] gone(String name) {
    return beside(name, ":gone");
  }

  /** The key of a quorum node's marker. */
  public byte[] marker() {
    return before(RunGuard.MARKER_NAME.getBytes(UTF_8));
  }

  /**
   * The prefix of a lock's channels, where a channel must be in the lock's slot: <code>
   * lh:{name}:wake:</code>, followed by the id of the subscribed store.
   */
  public byte[] shardChannelPrefix(String name) {
    return beside(name, ":wake:");
  }

  /** {@link Publishing#channelOf} with the prefix. */
  public byte[] channelOf(String storeId) {
    return before(Publishing.channelOf(storeId));
  }

  /** {@link Publishing#toStore} with the prefix. */
  public Publishing toStore(String lockName, byte[] counts) {
    Publishing whole = Publishing.toStore(lockName, counts);
    return prefix.isEmpty()
        ? whole
        : new Publishing(whole.command(), before(whole.prefix()), whole.message(), counts);
  }

  /** A key of another layout, with the prefix. */
  public String before(String key) {
    return prefix + key;
  }

  private byte[] before(byte[] key) {
    if (prefix.isEmpty()) {
      return key;
    }
    byte[] first = prefix.getBytes(UTF_8);
    byte[] all = new byte[first.length + key.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(key, 0, all, first.length, key.length);
    return all;
  }
}
