package dev.leasehold.redis.common;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A command to be sent before a script: if it does what is wanted, the script need not run. On any
 * other reply, or any error, the script runs, whose reply or error is the outcome.
 *
 * @param name the command
 * @param arguments its arguments, the key first
 * @param done whether a reply means that the script need not run
 * @param natives what is known of the server
 */
public record NativeCommand(
    String name, List<byte[]> arguments, Predicate<@Nullable Object> done, NativeDeletes natives) {

  /** Whether this reply means that the script need not run. */
  public boolean isDone(@Nullable Object reply) {
    return done.test(reply);
  }

  /** The server replied with an error. If it does not accept the command, no more are sent. */
  public void failed(@Nullable String serverWords) {
    if (RedisErrors.isUnknown(serverWords) || RedisErrors.isForbidden(serverWords)) {
      natives.lacking();
    }
  }
}
