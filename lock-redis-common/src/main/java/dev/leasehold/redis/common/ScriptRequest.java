package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * A script with its keys and arguments. The arrays must not be changed.
 *
 * @param script the script
 * @param keys its {@code KEYS}
 * @param arguments its {@code ARGV}
 * @param kind the kind of lock, for messages
 * @param shortcut a command that usually makes the script unnecessary; null if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
public record ScriptRequest(
    Script script,
    byte[][] keys,
    byte[][] arguments,
    LockKind kind,
    @Nullable NativeCommand shortcut) {
  /** A script by itself. */
  public ScriptRequest(Script script, byte[][] keys, byte[][] arguments, LockKind kind) {
    this(script, keys, arguments, kind, null);
  }

  /** For a plain lock. */
  public ScriptRequest(Script script, byte[][] keys, byte[][] arguments) {
    this(script, keys, arguments, LockKind.LOCK);
  }

  /** The same for another kind. */
  public ScriptRequest about(LockKind other) {
    return new ScriptRequest(script, keys, arguments, other, shortcut);
  }

  /** The same by another script. */
  ScriptRequest by(Script other) {
    return new ScriptRequest(other, keys, arguments, kind, shortcut);
  }

  /** The same with more arguments at the end. */
  ScriptRequest with(byte[]... more) {
    byte[][] all =
        new Arguments(arguments.length + more.length).addAll(arguments).addAll(more).all();
    return new ScriptRequest(script, keys, all, kind, shortcut);
  }

  /** The same after a command that usually makes it unnecessary. */
  public ScriptRequest after(NativeCommand command) {
    return new ScriptRequest(script, keys, arguments, kind, command);
  }
}
