package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a client's exceptions into the store's.
 *
 * @param answer the error that the server answered, if a failure is one
 * @param late the client's exception, or a cause of it, for an answer that did not come in time
 * @param shown what of a failure becomes the cause of the store's exception
 */
public record ClientFailures(
    Function<Throwable, @Nullable String> answer,
    Class<? extends Throwable> late,
    UnaryOperator<Throwable> shown) {

  /**
   * Of a client whose exceptions can be logged as they are.
   *
   * @param answer the client's exception for an error that the server answered
   * @param late as above
   */
  public ClientFailures(Class<? extends Throwable> answer, Class<? extends Throwable> late) {
    this(failure -> words(Causes.find(failure, answer)), late, UnaryOperator.identity());
  }

  private static @Nullable String words(@Nullable Throwable answer) {
    return answer == null ? null : String.valueOf(answer.getMessage());
  }

  /** The exception for a failed connection. */
  public LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return answer.apply(failure) == null ? to.unreached(typed, failure) : typed;
  }

  /**
   * The exception with a description of what failed, and the messages of the server or else of the
   * client, outermost first.
   */
  public LockStoreException of(Throwable failure, String what) {
    String words = answer.apply(failure);
    if (words != null) {
      return new LockStoreException(
          RedisErrors.kind(words),
          what + ": " + RedisErrors.explained(words),
          shown.apply(failure));
    }
    Kind kind = Causes.find(failure, late) == null ? Kind.UNREACHABLE : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), shown.apply(failure));
  }

  /**
   * The same for a call to one server: names it, unless the server has answered, or the client's
   * words have the address.
   *
   * @param address the server's; empty if it is not known
   */
  public LockStoreException of(Throwable failure, String what, String address) {
    boolean isClear = answer.apply(failure) != null || Causes.words(failure).contains(address);
    return of(failure, isClear ? what : at(what, address));
  }

  /** A description with the address of the server; without, if it is empty. */
  public static String at(String what, String address) {
    return address.isEmpty() ? what : what + " on Redis at " + address;
  }
}
