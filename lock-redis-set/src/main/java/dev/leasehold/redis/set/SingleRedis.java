package dev.leasehold.redis.set;

import dev.leasehold.redis.common.Publishing;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One server, or the primary that Sentinels name. */
final class SingleRedis implements Redis {
  private final RedisClient client;
  private final RedisURI uri;
  private final Runnable afterClose;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  /**
   * Connects.
   *
   * @param client used by nobody else; closed with this
   * @param afterClose closes what is ours below the client
   */
  SingleRedis(RedisClient client, RedisURI uri, Runnable afterClose) {
    this.client = client;
    this.uri = uri;
    this.afterClose = afterClose;
    try {
      connection = client.connect(ByteArrayCodec.INSTANCE, uri);
    } catch (RuntimeException e) {
      shutDown();
      throw Failures.of(e, "Could not connect to Redis at " + uri);
    }
  }

  /** With a client of our own making. */
  static SingleRedis own(RedisURI uri, ClientOptions options) {
    ClientResources resources = Clients.resources();
    RedisClient client = RedisClient.create(resources);
    client.setOptions(options);
    return new SingleRedis(
        client, uri, () -> resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly());
  }

  /** On the threads, and with the options, of an application's client, which stays open. */
  static SingleRedis beside(RedisClient application, RedisURI uri) {
    RedisClient client = RedisClient.create(application.getResources());
    client.setOptions(Clients.forLocks(application.getOptions()));
    return new SingleRedis(client, uri, () -> {});
  }

  @Override
  public void send(Call<?, ?> call) {
    Sending.over(connection, call);
  }

  @Override
  public boolean redirect(Call<?, ?> call, String serverWords) {
    return false;
  }

  @Override
  public WakeChannel wakeChannel(String storeId) {
    return new StoreChannel(this, storeId, Publishing.COUNTS_ALL);
  }

  /** A connection that is made again has asked the Sentinels again. */
  @Override
  public void onNewPrimary(Runnable listener) {
    if (!uri.getSentinels().isEmpty()) {
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
  public void later(Duration delay, Runnable task) {
    client
        .getResources()
        .eventExecutorGroup()
        .schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public String nodeOf(byte[] key) {
    return "the only one";
  }

  /**
   * Begun on a thread of its own: the first time, Lettuce makes its proxies there, and on the
   * thread that asks, which reads answers, that would hold up renewals for a tenth of a second.
   */
  @Override
  public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
    return Clients.onItsThreads(
        client.getResources(), () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
  }

  @Override
  public boolean takesManyKeys() {
    return true;
  }

  @Override
  public List<String> info(String section) {
    try {
      return List.of(connection.sync().info(section));
    } catch (RedisException e) {
      throw Failures.of(e, "Could not ask Redis at " + uri + " for INFO " + section);
    }
  }

  @Override
  public void close() {
    shutDown();
  }

  /** Closes every connection that the client made. */
  private void shutDown() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
    afterClose.run();
  }
}
