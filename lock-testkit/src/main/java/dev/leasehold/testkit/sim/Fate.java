package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.List;

/** What happens to a message and its answer. */
public sealed interface Fate {

  /**
   * The message is sent.
   *
   * @param requests the delays of its deliveries to the server: none for a lost request, two for a
   *     duplicated one
   * @param replies likewise for the answers to each; only the first answer counts
   */
  record Sent(List<Duration> requests, List<Duration> replies) implements Fate {}

  /**
   * The client sees a failure.
   *
   * @param requests the delays of its deliveries to the server, which happen all the same
   * @param after when the client sees the failure
   * @param cause the failure
   */
  record Failed(List<Duration> requests, Duration after, LockStoreException cause)
      implements Fate {}

  /**
   * Executed within the call, without time passing: the only fate that a blocking call survives.
   */
  record AtOnce() implements Fate {}

  /** Delivered and answered, with this delay each way. */
  static Fate after(Duration oneWay) {
    return new Sent(List.of(oneWay), List.of(oneWay));
  }

  /** Delivered and answered with these delays. */
  static Fate after(Duration request, Duration reply) {
    return new Sent(List.of(request), List.of(reply));
  }

  /** Never delivered. */
  static Fate requestLost() {
    return new Sent(List.of(), List.of());
  }

  /** Delivered and executed, but the answer is lost. */
  static Fate replyLost(Duration request) {
    return new Sent(List.of(request), List.of());
  }

  /** Delivered twice; the first answer counts. */
  static Fate repeated(Duration first, Duration second, Duration reply) {
    return new Sent(List.of(first, second), List.of(reply));
  }

  /** Refused and not executed. */
  static Fate refused(Duration after, LockStoreException cause) {
    return new Failed(List.of(), after, cause);
  }

  /** Executed, and then the connection breaks. */
  static Fate cutAfter(Duration request, Duration after) {
    return new Failed(
        List.of(request),
        after,
        new LockStoreException(LockStoreException.Kind.UNREACHABLE, "the connection was cut"));
  }

  /** Executed within the call. */
  static Fate atOnce() {
    return new AtOnce();
  }
}
