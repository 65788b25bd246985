package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;

/** Turns Lettuce's exceptions into the store's. */
final class LettuceFailures {
  private LettuceFailures() {}

  /** The exception for a failed connection. */
  static LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return Causes.find(failure, RedisCommandExecutionException.class) == null
        ? to.unreached(typed, failure)
        : typed;
  }

  /**
   * The exception with a description of what failed, and the messages of the server or else of the
   * client, outermost first.
   */
  static LockStoreException of(Throwable failure, String what) {
    RedisCommandExecutionException answer =
        Causes.find(failure, RedisCommandExecutionException.class);
    if (answer != null) {
      String words = String.valueOf(answer.getMessage());
      return new LockStoreException(
          RedisErrors.kind(words), what + ": " + RedisErrors.explained(words), failure);
    }
    Kind kind =
        Causes.find(failure, RedisCommandTimeoutException.class) == null
            ? Kind.UNREACHABLE
            : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), failure);
  }
}
