package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.Destination;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
final class RedissonFailures {
  /** Redisson appends the channel and the command, with scripts and names. */
  private static final String ADDED = ". channel: ";

  private static final List<Class<? extends RedisException>> LOGIN =
      List.of(RedisWrongPasswordException.class, RedisAuthRequiredException.class);

  /** Redisson's own errors, whose messages may mention a channel. */
  private static final List<Class<? extends RedisException>> CLIENT =
      List.of(
          RedisConnectionException.class,
          RedisTimeoutException.class,
          RedisNodeNotFoundException.class,
          RedisReconnectedException.class);

  /** Turns Redisson's exceptions into the store's. */
  private static final ClientFailures FAILURES =
      new ClientFailures(RedissonFailures::words, RedisResponseTimeoutException.class, OneLine::of);

  private RedissonFailures() {}

  /** As {@link ClientFailures#connecting}. */
  static LockStoreException connecting(Throwable failure, Destination to) {
    return FAILURES.connecting(failure, to);
  }

  /** As {@link ClientFailures#of}. */
  static LockStoreException of(Throwable failure, String what) {
    return FAILURES.of(failure, what);
  }

  /**
   * Whether Redisson gave up before it had sent the command. It waits for the write for as long as
   * its retries last: with short pauses between them that is a tenth of a second, and a busy
   * machine may need longer.
   */
  static boolean isUnsent(Throwable failure) {
    return Causes.find(failure, RedisTimeoutException.class) != null
        && Causes.find(failure, RedisResponseTimeoutException.class) == null;
  }

  /** Whether it is an answer of the server. */
  static boolean isAnswer(Throwable failure) {
    return answer(failure) != null;
  }

  /** The server's answer among the causes, if there is one. */
  private static @Nullable RedisException answer(Throwable failure) {
    for (Class<? extends RedisException> each : LOGIN) {
      RedisException refused = Causes.find(failure, each);
      if (refused != null) {
        return refused;
      }
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof RedisException said
          && CLIENT.stream().noneMatch(each -> each.isInstance(said))
          && String.valueOf(said.getMessage()).contains(ADDED)) {
        return said;
      }
    }
    return null;
  }

  /** What the server answered; null if a failure is no answer. */
  private static @Nullable String words(Throwable failure) {
    RedisException answer = answer(failure);
    if (answer == null) {
      return null;
    }
    String all = String.valueOf(answer.getMessage());
    String own = all.substring(0, all.lastIndexOf(ADDED) < 0 ? all.length() : all.indexOf(ADDED));
    // Redisson removes this code from the message.
    return answer instanceof RedisOutOfMemoryException && !own.contains("OOM") ? "OOM " + own : own;
  }
}
