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
final class Failures {
  /** Redisson adds where and what was sent, scripts and names and all. */
  private static final String ADDED = ". channel: ";

  private static final List<Class<? extends RedisException>> LOGIN =
      List.of(RedisWrongPasswordException.class, RedisAuthRequiredException.class);

  /** What Redisson itself says, and may quote a channel in. */
  private static final List<Class<? extends RedisException>> CLIENT =
      List.of(
          RedisConnectionException.class,
          RedisTimeoutException.class,
          RedisNodeNotFoundException.class,
          RedisReconnectedException.class);

  private Failures() {}

  /** That no connection came about. */
  static LockStoreException connecting(Throwable failure, Destination to) {
    LockStoreException typed = of(failure, to.what());
    return answer(failure) == null ? to.unreached(typed, failure) : typed;
  }

  /** With what was tried, and the words of the server or else of the client, outermost first. */
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
   * Whether Redisson gave up before it had sent the command. It waits for that as long as its
   * retries last: with short pauses between them a tenth of a second, which a busy machine may need
   * for the write.
   */
  static boolean isUnsent(Throwable failure) {
    return Causes.find(failure, RedisTimeoutException.class) != null
        && Causes.find(failure, RedisResponseTimeoutException.class) == null;
  }

  /** Whether the server itself has said so. */
  static boolean isAnswer(Throwable failure) {
    return answer(failure) != null;
  }

  /** What the server itself said, wherever Redisson has put it. */
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
    // Redisson takes the code off this one.
    return answer instanceof RedisOutOfMemoryException && !own.contains("OOM") ? "OOM " + own : own;
  }
}
