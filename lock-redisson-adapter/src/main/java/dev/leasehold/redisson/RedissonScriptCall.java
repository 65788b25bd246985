package dev.leasehold.redisson;

import dev.leasehold.lock.LockKind;
import dev.leasehold.redis.common.RedisErrors;
import java.util.List;

/**
 * A script with its keys and arguments.
 *
 * @param script the script
 * @param operation "acquire", for messages
 * @param kind the kind of lock, for messages
 * @param lockName for messages
 * @param keys its {@code KEYS}; the first is a lock's
 * @param arguments its {@code ARGV}
 */
record RedissonScriptCall(
    RedissonScript script,
    String operation,
    LockKind kind,
    String lockName,
    List<String> keys,
    List<String> arguments) {

  /** For a plain lock. */
  static RedissonScriptCall of(
      RedissonScript script,
      String operation,
      String lockName,
      List<String> keys,
      String... arguments) {
    return new RedissonScriptCall(
        script, operation, LockKind.LOCK, lockName, keys, List.of(arguments));
  }

  /** The same for another kind. */
  RedissonScriptCall about(LockKind other) {
    return new RedissonScriptCall(script, operation, other, lockName, keys, arguments);
  }

  /** The description of its failure, for messages. */
  String what() {
    return RedisErrors.message(operation, kind, lockName);
  }
}
