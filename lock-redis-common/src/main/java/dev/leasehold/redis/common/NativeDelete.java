package dev.leasehold.redis.common;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A native compare-and-delete to be sent before a script that releases a lock: if it deletes the
 * lock, the script need not run. On any other reply, or an error, the script runs.
 */
public final class NativeDelete {
  private final CompareAndDelete command;
  private final ScriptRequest script;
  private final NativeDeletes deletes;

  /** Of the key and the token that the script releases. */
  NativeDelete(CompareAndDelete command, ScriptRequest script, NativeDeletes deletes) {
    this.command = command;
    this.script = script;
    this.deletes = deletes;
  }

  /** The command. */
  public CompareAndDelete command() {
    return command;
  }

  /** Its arguments, the key first. */
  public List<byte[]> arguments() {
    return command.arguments(script.keys()[0], script.arguments()[0]);
  }

  /** Whether this reply means that the lock is deleted. */
  public static boolean isDone(@Nullable Object reply) {
    return reply instanceof Long deleted && deleted == 1;
  }

  /** The server replied with an error. If it does not accept the command, no more are sent. */
  public void failed(@Nullable String serverWords) {
    if (RedisErrors.isUnknown(serverWords) || RedisErrors.isForbidden(serverWords)) {
      deletes.lacking();
    }
  }
}
