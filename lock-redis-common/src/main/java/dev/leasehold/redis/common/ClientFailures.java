package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;

/**
 * Turns a client's exceptions into the store's.
 *
 * @param answer the client's exception for an error that the server answered
 * @param late the client's exception, or a cause of it, for an answer that did not come in time
 */
public record ClientFailures(Class<? extends Throwable> answer, Class<? extends Throwable> late) {

  /** The exception for a failed connection. */
  public LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return Causes.find(failure, answer) == null ? to.unreached(typed, failure) : typed;
  }

  /**
   * The exception with a description of what failed, and the messages of the server or else of the
   * client, outermost first.
   */
  public LockStoreException of(Throwable failure, String what) {
    Throwable said = Causes.find(failure, answer);
    if (said != null) {
      String words = String.valueOf(said.getMessage());
      return new LockStoreException(
          RedisErrors.kind(words), what + ": " + RedisErrors.explained(words), failure);
    }
    Kind kind = Causes.find(failure, late) == null ? Kind.UNREACHABLE : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), failure);
  }

  /**
   * The same for a call to one server: names it, unless the server has answered, or the client's
   * words have the address.
   *
   * @param address the server's; empty if it is not known
   */
  public LockStoreException of(Throwable failure, String what, String address) {
    boolean isClear =
        Causes.find(failure, answer) != null || Causes.words(failure).contains(address);
    return of(failure, isClear ? what : at(what, address));
  }

  /** A description with the address of the server; without, if it is empty. */
  public static String at(String what, String address) {
    return address.isEmpty() ? what : what + " on Redis at " + address;
  }
}
