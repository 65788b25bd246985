package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.List;

/** What becomes of a message and its answer. */
public sealed interface Fate {

  /**
   * It is on its way.
   *
   * @param requests for each time that it reaches the server, how long it takes there: none is a
   *     request that is lost, two is one that is repeated
   * @param replies the same for the answers to each; only the first one counts
   */
  record Sent(List<Duration> requests, List<Duration> replies) implements Fate {}

  /**
   * The client is told that it failed.
   *
   * @param requests for each time that it reaches the server all the same, how long it takes there
   * @param after when the client is told
   * @param cause what it is told
   */
  record Failed(List<Duration> requests, Duration after, LockStoreException cause)
      implements Fate {}

  /**
   * Done within the call, as if no time had to pass: the only one that a blocking call survives.
   */
  record AtOnce() implements Fate {}

  /** There and back in twice this time. */
  static Fate after(Duration oneWay) {
    return new Sent(List.of(oneWay), List.of(oneWay));
  }

  /** There and back. */
  static Fate after(Duration request, Duration reply) {
    return new Sent(List.of(request), List.of(reply));
  }

  /** Never gets there. */
  static Fate requestLost() {
    return new Sent(List.of(), List.of());
  }

  /** Gets there and is done, but the answer never comes back. */
  static Fate replyLost(Duration request) {
    return new Sent(List.of(request), List.of());
  }

  /** Gets there twice; the first answer counts. */
  static Fate repeated(Duration first, Duration second, Duration reply) {
    return new Sent(List.of(first, second), List.of(reply));
  }

  /** Is refused, and not done. */
  static Fate refused(Duration after, LockStoreException cause) {
    return new Failed(List.of(), after, cause);
  }

  /** Is done, and then the connection breaks. */
  static Fate cutAfter(Duration request, Duration after) {
    return new Failed(
        List.of(request),
        after,
        new LockStoreException(LockStoreException.Kind.UNREACHABLE, "the connection was cut"));
  }

  /** Within the call. */
  static Fate atOnce() {
    return new AtOnce();
  }
}
