package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ClientVersion;
import io.lettuce.core.RedisException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls whose answers a connection owes, where Lettuce would send them again once it has connected
 * anew: before 6.8 it does, whatever it does with calls that come while it is not connected. A
 * release that ran and is sent again would be answered "not yours", which reads as a loss. So these
 * calls end with their connection. Thread-safe.
 */
final class Unanswered {
  private static final boolean SENT_AGAIN = !ClientVersion.isAtLeast(Clients.version(), 6, 8);
  private static final Unanswered NOT_NEEDED = new Unanswered();

  private final Set<Call<?, ?>> calls = ConcurrentHashMap.newKeySet();

  Unanswered() {}

  /** For a connection of the Lettuce that is on the path. */
  static Unanswered ofClient() {
    return SENT_AGAIN ? new Unanswered() : NOT_NEEDED;
  }

  /** A call is about to be sent: by this connection, and no longer by one that it was sent by. */
  void add(Call<?, ?> call) {
    if (this != NOT_NEEDED) {
      calls.add(call);
      call.keptBy(this);
      call.whenComplete((result, failure) -> calls.remove(call));
    }
  }

  /** Another connection sends it now, to where a cluster's node has pointed to. */
  void remove(Call<?, ?> call) {
    calls.remove(call);
  }

  /**
   * The connection is broken, and no new one is there. What comes later is refused by Lettuce, or
   * was never on the wire.
   */
  void end() {
    for (Call<?, ?> call : calls) {
      call.completeExceptionally(new RedisException("Connection disconnected"));
    }
  }
}
