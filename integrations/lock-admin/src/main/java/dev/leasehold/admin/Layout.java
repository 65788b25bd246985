package dev.leasehold.admin;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.NodeVoter;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

  /** The layout as a listing by this pattern reads it, which may have to be stricter. */
  default Layout listing(Glob pattern) {
    return this;
  }

  /** What to scan for; empty if nothing can be listed by this pattern. */
  Optional<KeyScanArgs> scan(Glob pattern);

  /** The name that a key belongs to; empty if the key stands for no lock. */
  Optional<Part> named(byte[] key);

  /** Reads a name; the reply is for {@link #stored}. */
  LuaCall look(String name, int mostHolds, int mostWaiters);

  /** Parses the reply to {@link #look}: the kinds that are in use, or waited for. */
  List<Stored.Lock> stored(@Nullable Object reply);

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

  /** Takes the lock of a name on one server or a cluster; empty if that is not possible. */
  Optional<Taking> take(LeaseKey lease, Duration ttl);

  /**
   * Takes it on a node of a quorum, with the guard of every client there; empty if that is not
   * possible.
   *
   * @param runId the server's run
   */
  Optional<Taking> vote(LeaseKey lease, Duration ttl, NodeVoter voter, String runId);

  /** An acquisition, and what its reply means. */
  record Taking(LuaCall call, Function<Object, AcquireResult> meaning) {}

  /** What can't be listed by this pattern. */
  List<Omission> omissions(Glob pattern);
}
