package dev.leasehold.redis.set;

import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections have no {@code sync()}. Lettuce would create a proxy for it with a
 * method for each command, one for command connections and one for subscriptions, with the first
 * connection of either type. That costs half a second of CPU at the start of each process, and
 * locks never use it.
 */
final class AsyncClient extends RedisClient {
  AsyncClient(ClientResources resources) {
    super(resources, new RedisURI()); // as RedisClient.create does: each connection has its own
  }

  /**
   * Connects again if the server has refused and the channel is closed before the connecting thread
   * looks at its handshake: Lettuce then fails with an IllegalStateException and loses the server's
   * answer, such as a wrong password.
   */
  @Override
  protected <K, V, T extends RedisChannelHandler<K, V>> ConnectionFuture<T> initializeChannelAsync(
      ConnectionBuilder builder) {
    ConnectionFuture<T> first = super.initializeChannelAsync(builder);
    return first.thenCompose(
        (made, failure) ->
            failure != null && failure.getCause() instanceof IllegalStateException
                ? super.<K, V, T>initializeChannelAsync(builder)
                : first);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new Asking<>(writer, pushes, codec, timeout);
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new Listening<>(endpoint, writer, codec, timeout);
  }

  private static final class Asking<K, V> extends StatefulRedisConnectionImpl<K, V> {
    Asking(
        RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
      super(writer, pushes, codec, timeout);
    }

    @Override
    protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }
  }

  private static final class Listening<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {
    Listening(
        PubSubEndpoint<K, V> endpoint,
        RedisChannelWriter writer,
        RedisCodec<K, V> codec,
        Duration timeout) {
      super(endpoint, writer, codec, timeout);
    }

    @Override
    protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }
  }
}
