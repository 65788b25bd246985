package dev.leasehold.redis.set;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/** One server, or the primary that Sentinels name, on a connection that reconnects by itself. */
final class LettuceServer extends OneServer {
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final PipelinedConnection pipeline;

  /** Connects. */
  LettuceServer(RedisClient client, RedisURI uri, Runnable afterClose) {
    super(client, uri, afterClose);
    try {
      connection = client.connect(ByteArrayCodec.INSTANCE, uri);
      pipeline = pipeline(connection);
    } catch (RuntimeException e) {
      close();
      throw Clients.FAILURES.connecting(e, destination());
    }
  }

  /** With a client of its own. */
  static LettuceServer own(RedisURI uri, ClientOptions options) {
    ClientResources resources = Clients.resources();
    RedisClient client = new AsyncClient(resources);
    client.setOptions(options);
    return new LettuceServer(client, uri, () -> Clients.shutDown(resources));
  }

  /** With the threads and options of an application's client, which stays open. */
  static LettuceServer beside(RedisClient application, RedisURI uri) {
    ClientResources resources = Clients.beside(application.getResources());
    RedisClient client = new AsyncClient(resources);
    client.setOptions(Clients.forLocks(application.getOptions()));
    return new LettuceServer(client, uri, () -> Clients.shutDown(resources));
  }

  /** The connection is already open: names it now, and when it reconnects. */
  @Override
  public void name(String label) {
    RedisURI before = uri();
    super.name(label);
    if (before.getClientName() == null) {
      // Only if the user has the permission: otherwise reconnecting would fail because of it.
      connection
          .async()
          .clientSetname(label.getBytes(StandardCharsets.UTF_8))
          .thenRun(
              () ->
                  ((StatefulRedisConnectionImpl<byte[], byte[]>) connection)
                      .getConnectionState()
                      .apply(uri()));
    }
  }

  @Override
  public void send(PendingCommand<?> call) {
    pipeline.send(call);
  }

  /** Reconnecting asks the Sentinels again. */
  @Override
  public void onNewPrimary(Runnable listener) {
    if (!uri().getSentinels().isEmpty()) {
      connection.addListener(
          new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> back, SocketAddress address) {
              listener.run();
            }
          });
    }
  }

  @Override
  StatefulRedisConnection<byte[], byte[]> connected() {
    return connection;
  }
}
