package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisErrors;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Turns Jedis' exceptions into the store's. */
final class JedisFailures {
  private JedisFailures() {}

  /** The exception for a failed connection. */
  static LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return Causes.find(failure, JedisDataException.class) == null
        ? to.unreached(typed, failure)
        : typed;
  }

  /**
   * The exception with a description of what failed, and the messages of the server or else of the
   * client, outermost first.
   */
  static LockStoreException of(Throwable failure, String what) {
    JedisDataException answer = Causes.find(failure, JedisDataException.class);
    if (answer != null) {
      String words = String.valueOf(answer.getMessage());
      return new LockStoreException(
          RedisErrors.kind(words), what + ": " + RedisErrors.explained(words), failure);
    }
    if (Causes.find(failure, NoSuchElementException.class) != null) {
      return new LockStoreException(
          Kind.UNAVAILABLE,
          what
              + ": all connections of the pool are in use ("
              + SetnxSettings.CONNECTIONS.key()
              + "): "
              + Causes.words(failure),
          failure);
    }
    Kind kind =
        Causes.find(failure, SocketTimeoutException.class) == null
            ? Kind.UNREACHABLE
            : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), failure);
  }
}
