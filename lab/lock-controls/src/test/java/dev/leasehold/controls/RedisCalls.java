package dev.leasehold.controls;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a server, of which one idle one is kept; fails with the store's exceptions. After
 * a broken connection, makes the server close it before anything else is sent, so that no late
 * command arrives by it: a flaw that none of the controls is about. Thread-safe.
 */
final class RedisCalls implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Pattern UNAVAILABLE =
      Pattern.compile("\\b(OOM|READONLY|BUSY|LOADING|MASTERDOWN)\\b");

  private final URI address;
  private final AtomicReference<@Nullable RespConnection> idle = new AtomicReference<>();
  private final Map<RespConnection, Long> ids = new ConcurrentHashMap<>();
  private final Set<Long> doomed = ConcurrentHashMap.newKeySet();
  private final boolean hangsUp;
  private volatile boolean closed;

  RedisCalls(String address) {
    this(address, true);
  }

  /**
   * Connects to a server.
   *
   * @param hangsUp whether the server is made to close broken connections
   */
  RedisCalls(String address, boolean hangsUp) {
    this.address = URI.create(address);
    this.hangsUp = hangsUp;
  }

  /** Sends one command on a new connection. */
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
    return number(eval(body, key, arguments));
  }

  /** Runs a script that returns an array. */
  List<?> listScript(String body, String key, String... arguments) {
    return (List<?>) call(eval(body, key, arguments)).orElseThrow();
  }

  private static String[] eval(String body, String key, String... arguments) {
    return Stream.concat(Stream.of("EVAL", body, "1", key), Stream.of(arguments))
        .toArray(String[]::new);
  }

  /** Sends several commands on a connection that is not shared meanwhile. */
  <T> T on(Function<RespConnection, T> work) {
    RespConnection connection = null;
    try {
      connection = idle.getAndSet(null);
      if (connection == null) {
        connection = RespConnection.to(address.getHost(), address.getPort(), PATIENCE);
        ids.put(connection, (Long) connection.call("CLIENT", "ID").orElseThrow());
      }
      hangUpOnBroken(connection);
      T result = work.apply(connection);
      giveBack(connection);
      return result;
    } catch (ServerError error) {
      if (connection != null) {
        end(connection); // it may be in the middle of a transaction
      }
      String words = String.valueOf(error.getMessage());
      Kind kind = UNAVAILABLE.matcher(words).find() ? Kind.UNAVAILABLE : Kind.REFUSED;
      throw new LockStoreException(kind, words, error);
    } catch (LockStoreException failure) {
      throw failure;
    } catch (RuntimeException broken) {
      if (connection != null) {
        Long id = ids.get(connection);
        if (id != null && hangsUp) {
          doomed.add(id);
        }
        end(connection);
      }
      closeIdle();
      boolean slow = String.valueOf(broken).contains("SocketTimeoutException");
      throw new LockStoreException(
          slow ? Kind.TIMED_OUT : Kind.UNREACHABLE, "the connection broke: " + broken, broken);
    }
  }

  /**
   * Pops a list's elements as they arrive, on a thread of its own, until the watch is closed.
   *
   * @param broken runs once if the server is gone: the author's scheme does not reconnect
   */
  Watch popping(String list, Consumer<String> each, Runnable broken) {
    AtomicBoolean ended = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!ended.get()) {
                  call("BLPOP", list, "1")
                      .map(reply -> ((List<?>) reply).get(1).toString())
                      .ifPresent(each);
                }
              } catch (LockStoreException gone) {
                broken.run();
              }
            },
            "control's wake-ups");
    thread.setDaemon(true);
    thread.start();
    return () -> ended.set(true);
  }

  private void hangUpOnBroken(RespConnection by) {
    for (Long id : doomed) {
      by.call("CLIENT", "KILL", "ID", id.toString());
      doomed.remove(id);
    }
  }

  private void end(RespConnection connection) {
    ids.remove(connection);
    connection.close();
  }

  private void giveBack(RespConnection connection) {
    if (!idle.compareAndSet(null, connection)) {
      end(connection);
    } else if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    RespConnection one = idle.getAndSet(null);
    if (one != null) {
      end(one);
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
