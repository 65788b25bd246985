package dev.leasehold.admin;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers, and converts a client's exceptions to the library's. Immutable. */
record Replying(Duration within) {
  static final ClientFailures FAILURES =
      new ClientFailures(RedisCommandExecutionException.class, RedisCommandTimeoutException.class);

  /**
   * Waits for an answer.
   *
   * @param what what is requested, for the message: "Could not list locks of host:6379"
   * @throws LockStoreException if it failed or did not arrive in time, or if this thread was
   *     interrupted, whose flag is kept
   */
  <T> T await(CompletableFuture<T> asked, String what) {
    try {
      return asked.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failure(e, what);
    } catch (TimeoutException e) {
      asked.cancel(false);
      throw new LockStoreException(
          LockStoreException.Kind.TIMED_OUT,
          what + ": no answer within " + Setting.written(within),
          e);
    } catch (InterruptedException e) {
      asked.cancel(false);
      Thread.currentThread().interrupt();
      throw new LockStoreException(
          LockStoreException.Kind.TIMED_OUT, what + ": this thread was interrupted", e);
    }
  }

  /** Returns the exception for a failed call. */
  static LockStoreException failure(Throwable failure, String what) {
    Throwable cause = unwrapped(failure);
    return cause instanceof LockStoreException typed ? typed : FAILURES.of(cause, what);
  }

  /** Returns the exception for a failed connection, in the words of the locks. */
  static LockStoreException unreached(Throwable failure, LettuceAddress to) {
    Throwable cause = unwrapped(failure);
    if (cause instanceof LockStoreException typed) {
      return typed;
    }
    RedisURI first = to.uris().get(0);
    Encryption encryption = first.isSsl() ? Encryption.TLS : Encryption.NONE;
    return FAILURES.connecting(
        cause, new Destination(to.toString(), encryption, first.getTimeout()));
  }

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
