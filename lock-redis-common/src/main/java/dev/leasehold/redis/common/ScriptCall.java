package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A script to be run, and what is made of its reply.
 *
 * @param operation "acquire", for messages
 * @param name the lock's name, for messages
 * @param script the script
 * @param meaning parses the reply: a {@code Long}, bytes, a list of these, or null; may throw
 * @param wrote whether a result means that something was written which replicas should have; null
 *     if that does not matter
 * @param <R> what the reply means
 */
public record ScriptCall<R>(
    String operation,
    String name,
    ScriptRequest script,
    Function<Object, ? extends R> meaning,
    @Nullable Predicate<? super R> wrote) {

  /** Whatever it writes, replicas need not have it. */
  public ScriptCall(
      String operation, String name, ScriptRequest script, Function<Object, ? extends R> meaning) {
    this(operation, name, script, meaning, null);
  }

  /** A release, by a script whose reply is for {@link Replies#release}. */
  public static ScriptCall<ReleaseResult> release(LeaseKey lease, ScriptRequest script) {
    return new ScriptCall<>(
        "release", lease.name(), script, reply -> Replies.release((Long) reply));
  }

  /** The same with a minimum hold, by a script whose reply is for {@link Replies#keep}. */
  public static ScriptCall<ReleaseResult> keep(LeaseKey lease, ScriptRequest script) {
    return new ScriptCall<>(
        "release and keep", lease.name(), script, reply -> Replies.keep((Long) reply));
  }

  /**
   * Marks a token as released, before a release that an acquisition of it may follow: {@link
   * FencedScripts#gone}.
   */
  public static ScriptCall<Object> gone(LeaseKey lease, KeySpace space, LockKind kind) {
    return new ScriptCall<>(
        "release", lease.name(), FencedScripts.gone(lease, space).about(kind), done -> done);
  }

  /** The same with another script. */
  public ScriptCall<R> with(ScriptRequest other) {
    return new ScriptCall<>(operation, name, other, meaning, wrote);
  }
}
