package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.regex.Pattern;

/**
 * All keys and channels of one tenant of a server: {@link LockKeys} and the others, each with a
 * prefix before it. Immutable.
 *
 * <p>Keys of our own layout never meet those of another prefix. Where a lock's name is its key,
 * they do not as long as neither prefix begins with the other.
 *
 * @param prefix what all begin with; may be empty
 */
public record KeySpace(String prefix) {
  /** What prefixes may be; no braces, which would be a cluster's hash tag, and no wildcards. */
  static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:/-]{1,64}");

  /** Without a prefix. */
  public static final KeySpace WHOLE = new KeySpace("");

  /**
   * With this prefix.
   *
   * @throws IllegalArgumentException if it has other characters than allowed, or too many
   */
  public KeySpace {
    if (!prefix.isEmpty() && !ALLOWED.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "key prefix '" + prefix + "' is not " + RedisSettings.PREFIX_TYPE);
    }
  }

  /** As the settings tell. */
  public static KeySpace of(LockSettings settings) {
    return settings.find(RedisSettings.KEY_PREFIX).map(KeySpace::new).orElse(WHOLE);
  }

  /** The keys of a name; as {@link LockKeys#of}. */
  public LockKeys keys(String name) {
    LockKeys keys = LockKeys.of(name);
    return prefix.isEmpty()
        ? keys
        : new LockKeys(before(keys.lock()), before(keys.fence()), before(keys.waiters()));
  }

  /** The lock's key alone. */
  public byte[] lock(String name) {
    return before(LockKeys.lock(name));
  }

  /** A name as key; as {@link LockKeys#plain}. */
  public byte[] plain(String name) {
    LockKeys.checkPlain(name); // behind a prefix it is that tenant's marker
    return LockKeys.plain(prefix + name);
  }

  /** <code>lh:{name}</code> and what comes after it. */
  byte[] beside(String name, String what) {
    return LockKeys.after(lock(name), what);
  }

  /** The same with each of these after it. */
  byte[][] allBeside(String name, String... each) {
    byte[] lock = lock(name);
    byte[][] keys = new byte[each.length][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = LockKeys.after(lock, each[i]);
    }
    return keys;
  }

  byte[] gone(LeaseKey lease) {
    return before(LockKeys.gone(lease));
  }

  /** <code>lh:{name}:gone</code>: a string, there while there is one of a token of the name. */
  byte[] gone(String name) {
    return beside(name, ":gone");
  }

  /** The key in which a quorum's nodes note their runs. */
  public byte[] marker() {
    return before(RunGuard.MARKER_NAME.getBytes(UTF_8));
  }

  /** As {@link LockKeys#shardChannelPrefix}. */
  public byte[] shardChannelPrefix(String name) {
    return before(LockKeys.shardChannelPrefix(name));
  }

  /** As {@link Publishing#channelOf}. */
  public byte[] channelOf(String storeId) {
    return before(Publishing.channelOf(storeId));
  }

  /** As {@link Publishing#toStore}. */
  public Publishing toStore(String lockName, byte[] counts) {
    Publishing whole = Publishing.toStore(lockName, counts);
    return prefix.isEmpty()
        ? whole
        : new Publishing(whole.command(), before(whole.prefix()), whole.message(), counts);
  }

  /** A key of another layout. */
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
