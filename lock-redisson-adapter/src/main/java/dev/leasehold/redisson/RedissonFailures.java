package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisErrors;
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

  private RedissonFailures() {}

  /** The exception for a failed connection. */
  static LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return answer(failure) == null ? to.unreached(typed, failure) : typed;
  }

  /**
   * The exception with a description of what failed, and the messages of the server or else of the
   * client, outermost first.
   */
  static LockStoreException of(Throwable failure, String what) {
    RedisException answer = answer(failure);
    if (answer != null) {
      String words = words(answer);
      return new LockStoreException(
          RedisErrors.kind(words), what + ": " + RedisErrors.explained(words), OneLine.of(failure));
    }
    Kind kind =
        Causes.find(failure, RedisResponseTimeoutException.class) == null
            ? Kind.UNREACHABLE
            : Kind.TIMED_OUT;
    return new LockStoreException(kind, what + ": " + Causes.words(failure), OneLine.of(failure));
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

  private static String words(RedisException answer) {
    String all = String.valueOf(answer.getMessage());
    String own = all.substring(0, all.lastIndexOf(ADDED) < 0 ? all.length() : all.indexOf(ADDED));
    // Redisson removes this code from the message.
    return answer instanceof RedisOutOfMemoryException && !own.contains("OOM") ? "OOM " + own : own;
  }
}
