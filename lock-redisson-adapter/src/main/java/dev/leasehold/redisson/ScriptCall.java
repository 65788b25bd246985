package dev.leasehold.redisson;

import java.util.List;

/**
 * A script with all that it is told.
 *
 * @param script which
 * @param operation "acquire", for messages
 * @param lockName for messages
 * @param keys its {@code KEYS}; the first is a lock's
 * @param arguments its {@code ARGV}
 */
record ScriptCall(
    Script script, String operation, String lockName, List<String> keys, List<String> arguments) {

  static ScriptCall of(
      Script script, String operation, String lockName, List<String> keys, String... arguments) {
    return new ScriptCall(script, operation, lockName, keys, List.of(arguments));
  }
}
