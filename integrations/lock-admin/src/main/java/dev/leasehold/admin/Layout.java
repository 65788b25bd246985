package dev.leasehold.admin;

import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A way of keeping locks in keys. Immutable. */
interface Layout {

  /**
   * A key that a scan found.
   *
   * @param name the lock's
   * @param part which of the name's keys it is, in an order of the layout's: of several keys of one
   *     name, the first one stands for it in a listing
   */
  record Part(String name, int part) {}

  /** What to scan for; empty if nothing can be listed by this pattern. */
  Optional<KeyScanArgs> scan(Glob pattern);

  /** The name that a key belongs to; empty if the key stands for no lock. */
  Optional<Part> named(byte[] key);

  /** Reads a name; the reply is for {@link #stored}. */
  LuaCall look(String name, int mostHolds, int mostWaiters);

  /** Parses the reply to {@link #look}: the kinds that are in use, or waited for. */
  List<Stored.Lock> stored(Object reply);

  /**
   * Ends a hold, if the server still has it, and passes its turn on as a release does. The reply is
   * one of {@code Replies.release}.
   */
  LuaCall release(String name, Stored.Hold hold, Server server);

  /**
   * Ends a hold and keeps the name taken until it would have ended; the reply is one of {@code
   * Replies.keep}. Empty if the format has no way to do so.
   */
  Optional<LuaCall> keep(String name, Stored.Hold hold);

  /**
   * Takes the lock of a name; empty if that is not possible. The reply is one of {@code
   * Replies.acquire}.
   *
   * @param on where it is sent
   */
  Optional<ScriptRequest> acquire(String name, String token, Duration ttl, On on);

  /** Where an acquisition is sent. */
  enum On {
    /** A server or a cluster. */
    ONE,
    /** A node of a quorum; the request needs a guard. */
    NODE
  }

  /** What can't be listed by this pattern. */
  List<Omission> omissions(Glob pattern);
}
