package dev.leasehold.testkit.controls;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connections, of which it keeps an idle one; with the store's exceptions. Thread-safe. */
final class RedisCalls implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Pattern UNAVAILABLE =
      Pattern.compile("\\b(OOM|READONLY|BUSY|LOADING|MASTERDOWN)\\b");

  private final URI address;
  private final AtomicReference<@Nullable RespConnection> idle = new AtomicReference<>();
  private volatile boolean closed;

  RedisCalls(String address) {
    this.address = URI.create(address);
  }

  /** One command on a connection of its own. */
  Optional<Object> call(String... words) {
    return on(connection -> connection.call(words));
  }

  long number(String... words) {
    return call(words).map(reply -> (Long) reply).orElse(0L);
  }

  Optional<String> text(String... words) {
    return call(words).map(Object::toString);
  }

  long script(String body, String key, String... arguments) {
    String[] words = new String[4 + arguments.length];
    words[0] = "EVAL";
    words[1] = body;
    words[2] = "1";
    words[3] = key;
    System.arraycopy(arguments, 0, words, 4, arguments.length);
    return number(words);
  }

  /** Several commands on one connection that nobody else uses meanwhile. */
  <T> T on(Function<RespConnection, T> work) {
    RespConnection connection = null;
    try {
      connection = idle.getAndSet(null);
      if (connection == null) {
        connection = RespConnection.to(address.getHost(), address.getPort(), PATIENCE);
      }
      T result = work.apply(connection);
      giveBack(connection);
      return result;
    } catch (ServerError error) {
      if (connection != null) {
        connection.close(); // it may be in the middle of a transaction
      }
      String words = String.valueOf(error.getMessage());
      Kind kind = UNAVAILABLE.matcher(words).find() ? Kind.UNAVAILABLE : Kind.REFUSED;
      throw new LockStoreException(kind, words, error);
    } catch (LockStoreException failure) {
      throw failure;
    } catch (RuntimeException broken) {
      if (connection != null) {
        connection.close();
      }
      closeIdle();
      boolean slow = String.valueOf(broken).contains("SocketTimeoutException");
      throw new LockStoreException(
          slow ? Kind.TIMED_OUT : Kind.UNREACHABLE, "the connection broke: " + broken, broken);
    }
  }

  private void giveBack(RespConnection connection) {
    if (!idle.compareAndSet(null, connection)) {
      connection.close();
    } else if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    RespConnection one = idle.getAndSet(null);
    if (one != null) {
      one.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
