package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import io.lettuce.core.KeyScanArgs;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A format in which locks are stored in keys. Immutable. */
interface Layout {
  /** The number of keys requested by one SCAN. */
  int AT_ONCE = 512;

  /**
   * A key that a scan found.
   *
   * @param name the lock's name
   * @param part which of the name's keys it is, as a number. If a name has several keys, a listing
   *     counts the one with the smallest number
   */
  record Part(String name, int part) {}

  /** Returns the layout for a listing by this pattern, which may be stricter. */
  default Layout listing(Glob pattern) {
    return this;
  }

  /** Returns what to scan for; empty if this pattern can't be listed. */
  Optional<KeyScanArgs> scan(Glob pattern);

  /** Returns the name that a key belongs to; empty if the key reveals no lock. */
  Optional<Part> named(byte[] key);

  /** Reads a name. {@link #stored} parses the reply. */
  LuaCall look(String name, int mostHolds, int mostWaiters);

  /** Parses the reply to {@link #look}: the kinds that are held or waited for. */
  List<Stored.Lock> stored(@Nullable Object reply);

  /**
   * Parses the reply to {@link #look} for a key of the name that holds something else than a lock,
   * so that the name is not free. Empty if {@link #stored} finds a lock in the same reply.
   */
  Optional<Other> other(String name, @Nullable Object reply);

  /**
   * A key that is not free, and holds no lock.
   *
   * @param key with one character per byte
   * @param what "holds something else than a lock in this format"
   */
  record Other(String key, String what) {

    /** A key whose value is none that a lock of this format has. */
    static Other noLock(String key) {
      return new Other(key, "holds something else than a lock in this format");
    }
  }

  /**
   * Ends a hold if the server still has it, and passes the lock on as a release does. {@code
   * Replies.release} parses the reply.
   */
  LuaCall release(String name, Stored.Hold hold, Server server);

  /**
   * Ends a hold, but keeps the name unavailable until the hold would have expired. {@code
   * Replies.keep} parses the reply. Empty if the format does not support it.
   */
  Optional<LuaCall> keep(String name, Stored.Hold hold);

  /**
   * Acquires the lock of a name on one server or a cluster; empty if the format does not support
   * it.
   */
  Optional<Taking> take(LeaseKey lease, Duration ttl);

  /**
   * Acquires it on a node of a quorum, with the checks that every client makes there; empty if the
   * format does not support it.
   *
   * @param runId the server's run id
   */
  Optional<Taking> vote(LeaseKey lease, Duration ttl, NodeVoter voter, String runId);

  /** An acquisition, and the parser of its reply. */
  record Taking(LuaCall call, Function<Object, AcquireResult> meaning) {}

  /** Returns what a listing by this pattern lacks. */
  List<Omission> omissions(Glob pattern);

  /** Returns a scan for keys that consist of the lock's name, after an optional tenant prefix. */
  static KeyScanArgs scanFor(KeySpace space, Glob pattern) {
    return new KeyScanArgs()
        .match(space.prefix() + pattern.forServer(Character::toString))
        .limit(AT_ONCE);
  }

  /** Returns the name that such a key stands for; empty if no lock can have this key. */
  static Optional<String> bareName(KeySpace space, byte[] key) {
    return text(key)
        .filter(text -> text.startsWith(space.prefix()))
        .map(text -> text.substring(space.prefix().length()))
        .filter(name -> !name.isEmpty() && !name.equals("lh:node"));
  }

  /** Returns a key as text; empty if it is not UTF-8, so that it can't be a lock's. */
  static Optional<String> text(byte[] key) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
