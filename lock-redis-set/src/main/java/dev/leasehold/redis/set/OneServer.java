package dev.leasehold.redis.set;

import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.WakeChannel;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Common to all connections to one server, or to the primary that Sentinels name. */
abstract class OneServer implements LettuceRedis {
  final RedisClient client;
  private volatile RedisURI uri;
  private final Silence silence = new Silence();
  private final Runnable afterClose;

  /**
   * Not yet connected.
   *
   * @param client not shared; closed with this
   * @param afterClose closes the client's resources
   */
  OneServer(RedisClient client, RedisURI uri, Runnable afterClose) {
    this.client = client;
    this.uri = uri;
    this.afterClose = afterClose;
  }

  @Override
  public final String address() {
    return LettuceAddress.address(uri);
  }

  /** The destination, for messages about connecting. */
  final Destination destination() {
    return LettuceAddress.destination(List.of(uri));
  }

  /** The address with credentials and client name. */
  final RedisURI uri() {
    return uri;
  }

  @Override
  public void name(String label) {
    uri = Clients.named(uri, label);
  }

  @Override
  public final Silence silence() {
    return silence;
  }

  final PipelinedConnection pipeline(StatefulRedisConnection<byte[], byte[]> made) {
    return new PipelinedConnection(made, address(), silence);
  }

  @Override
  public boolean redirect(PendingCommand<?> call, String serverWords) {
    return false;
  }

  @Override
  public WakeChannel wakeChannel(String storeId, KeySpace keys) {
    return new StoreChannel(this, storeId, keys, Publishing.COUNTS_ALL);
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
   * On a thread of its own: at the first time Lettuce creates its proxies there. On the calling
   * thread, which reads replies, that would delay renewals by a tenth of a second.
   */
  @Override
  public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
    return Clients.onItsThreads(
        client.getResources(), () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
  }

  /** The command connection; throws while there is none. */
  abstract StatefulRedisConnection<byte[], byte[]> connected();

  @Override
  public List<String> info(String section) {
    try {
      return List.of(
          LettuceFutures.awaitOrCancel(
              connected().async().info(section), uri.getTimeout().toNanos(), TimeUnit.NANOSECONDS));
    } catch (RedisException e) {
      throw Clients.FAILURES.of(e, "Could not ask Redis at " + address() + " for INFO " + section);
    }
  }

  @Override
  public boolean takesManyKeys() {
    return true;
  }

  /** Closes all connections that the client made. */
  @Override
  public void close() {
    Clients.end(client);
    afterClose.run();
  }
}
