package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.simulation.ModelServer;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimNode;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A subscriber's connection that behaves like Lettuce's: it reconnects and resubscribes by itself.
 * Only the parts that {@link StoreChannel} uses are implemented. Not thread-safe.
 */
final class SimPubSub implements ModelServer.Subscriber {
  private static final Duration WAY = Duration.ofMillis(1);
  private static final Duration RECONNECT = Duration.ofMillis(50);

  private final SimConnection connection;
  private final List<RedisPubSubListener<byte[], byte[]>> listeners = new ArrayList<>();
  private final List<RedisConnectionStateListener> states = new ArrayList<>();
  private final List<String> channels = new ArrayList<>();
  private boolean closed;
  private long breaks;

  SimPubSub(SimConnection connection) {
    this.connection = connection;
  }

  CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connect() {
    CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> made =
        new CompletableFuture<>();
    connection.back(
        WAY.multipliedBy(2),
        () -> {
          if (connection.server().node().state() == SimNode.State.DOWN) {
            made.completeExceptionally(new RedisConnectionException("no server"));
          } else {
            made.complete(asLettuce());
          }
        });
    return made;
  }

  @SuppressWarnings("unchecked")
  private StatefulRedisPubSubConnection<byte[], byte[]> asLettuce() {
    return proxy(
        StatefulRedisPubSubConnection.class,
        (method, arguments) -> {
          switch (method.getName()) {
            case "addListener":
              if (arguments[0] instanceof RedisConnectionStateListener state) {
                states.add(state);
              } else {
                listeners.add((RedisPubSubListener<byte[], byte[]>) arguments[0]);
              }
              return null;
            case "async":
              return commands();
            case "closeAsync":
              close();
              return CompletableFuture.completedFuture(null);
            case "isOpen":
              return !closed;
            default:
              throw new UnsupportedOperationException(method.toString());
          }
        });
  }

  private Object commands() {
    return proxy(
        RedisPubSubAsyncCommands.class,
        (method, arguments) -> {
          if (!method.getName().equals("subscribe")) {
            throw new UnsupportedOperationException(method.toString());
          }
          String channel = new String(((byte[][]) arguments[0])[0], UTF_8);
          channels.add(channel);
          CompletableFuture<Void> done = new CompletableFuture<>();
          subscribe(channel, done);
          return proxy(
              RedisFuture.class,
              (onFuture, given) -> {
                try {
                  return onFuture.invoke(done, given);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
        });
  }

  private interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "toString" -> type.getSimpleName();
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  default -> handler.call(method, arguments);
                }));
  }

  private void subscribe(String channel, CompletableFuture<Void> done) {
    Fate fate = connection.fate(Operation.WATCH, channel);
    if (!(fate instanceof Fate.Sent way) || way.requests().isEmpty() || way.replies().isEmpty()) {
      // As with TCP, a lost message breaks the connection.
      connection.back(
          WAY, () -> done.completeExceptionally(new RedisConnectionException("broken")));
      return;
    }
    long mine = breaks;
    connection
        .world()
        .after(
            way.requests().get(0),
            () ->
                connection
                    .server()
                    .node()
                    .deliver(
                        () -> {
                          if (mine != breaks || closed) {
                            return;
                          }
                          connection.server().model().subscribe(channel, this);
                          connection.back(
                              way.replies().get(0),
                              () -> {
                                if (mine == breaks) {
                                  List.copyOf(listeners)
                                      .forEach(l -> l.subscribed(channel.getBytes(UTF_8), 1));
                                  done.complete(null);
                                }
                              });
                        }));
  }

  @Override
  public void heard(String channel, String message) {
    long mine = breaks;
    if (connection.fate(Operation.WAKE_UP, message) instanceof Fate.Sent way) {
      way.requests()
          .forEach(
              there ->
                  connection.back(
                      there,
                      () -> {
                        if (mine == breaks) {
                          List.copyOf(listeners)
                              .forEach(
                                  l -> l.message(channel.getBytes(UTF_8), message.getBytes(UTF_8)));
                        }
                      }));
    }
  }

  /** The server is gone. Lettuce keeps retrying. */
  void broke() {
    breaks++;
    if (closed || channels.isEmpty()) {
      return;
    }
    connection.back(
        WAY,
        () -> {
          List.copyOf(states).forEach(state -> state.onRedisDisconnected(null));
          again();
        });
  }

  private void again() {
    long mine = breaks;
    connection
        .client()
        .scheduler()
        .schedule(
            RECONNECT,
            () -> {
              if (closed || mine != breaks) {
                return;
              }
              if (connection.server().node().state() == SimNode.State.DOWN) {
                again();
                return;
              }
              for (String channel : channels) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                subscribe(channel, done);
                done.whenComplete(
                    (subscribed, failure) -> {
                      if (failure != null) {
                        again();
                      }
                    });
              }
            });
  }

  void close() {
    closed = true;
    breaks++;
    connection.server().model().unsubscribe(this);
  }
}
