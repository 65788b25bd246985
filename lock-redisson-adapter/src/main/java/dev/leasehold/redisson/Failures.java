package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.RedisErrors;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisAuthRequiredException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisReconnectedException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.RedisWrongPasswordException;

/** Turns Redisson's exceptions into the store's. */
final class Failures {
  /** Redisson adds where and what was sent, scripts and names and all. */
  private static final String ADDED = ". channel: ";

  private Failures() {}

  /** With what was tried, and the words of the server or else of the client, outermost first. */
  static LockStoreException of(Throwable failure, String what) {
    RedisException answer = Causes.find(failure, RedisException.class);
    if (answer != null && isServers(answer)) {
      String words = words(answer);
      return new LockStoreException(RedisErrors.kind(words), what + ": " + words, failure);
    }
    Kind kind =
        Causes.find(failure, RedisResponseTimeoutException.class) == null
            ? Kind.UNREACHABLE
            : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), failure);
  }

  private static boolean isServers(RedisException e) {
    if (e instanceof RedisWrongPasswordException || e instanceof RedisAuthRequiredException) {
      return true;
    }
    return !(e instanceof RedisConnectionException
            || e instanceof RedisTimeoutException
            || e instanceof RedisNodeNotFoundException
            || e instanceof RedisReconnectedException
            || e instanceof RedissonShutdownException)
        && String.valueOf(e.getMessage()).contains(ADDED);
  }

  private static String words(RedisException answer) {
    String all = String.valueOf(answer.getMessage());
    String own = all.substring(0, all.lastIndexOf(ADDED) < 0 ? all.length() : all.indexOf(ADDED));
    // Redisson takes the code off this one.
    return answer instanceof RedisOutOfMemoryException && !own.contains("OOM") ? "OOM " + own : own;
  }
}
