package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ClientVersion;
import io.lettuce.core.RedisException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Unanswered calls of a connection that Lettuce would resend after reconnecting: versions before
 * 6.8 do so even if set to reject calls while disconnected. A release that ran and is resent would
 * be answered with "not the owner", which reads as a loss. So these calls fail when their
 * connection breaks. Thread-safe.
 */
final class Unanswered {
  private static final boolean SENT_AGAIN = !ClientVersion.isAtLeast(Clients.version(), 6, 8);
  private static final Unanswered NOT_NEEDED = new Unanswered();

  private final Set<PendingCommand<?>> calls = ConcurrentHashMap.newKeySet();

  Unanswered() {}

  /** For the version of Lettuce on the path. */
  static Unanswered ofClient() {
    return SENT_AGAIN ? new Unanswered() : NOT_NEEDED;
  }

  /** A call is about to be sent by this connection, and no longer belongs to another one. */
  void add(PendingCommand<?> call) {
    if (this != NOT_NEEDED) {
      calls.add(call);
      call.keptBy(this);
      call.whenComplete((result, failure) -> calls.remove(call));
    }
  }

  /** Another connection sends the call now, after a cluster's redirect. */
  void remove(PendingCommand<?> call) {
    calls.remove(call);
  }

  /**
   * The connection is broken, and there is no new one yet. Later calls are refused by Lettuce, or
   * have never been written.
   */
  void end() {
    for (PendingCommand<?> call : calls) {
      call.completeExceptionally(new RedisException("Connection disconnected"));
    }
  }
}
