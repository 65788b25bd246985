package dev.leasehold.redis.set;

import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** What is true of one server, or of the primary that Sentinels name, however it is connected. */
abstract class OneServer implements Redis {
  final RedisClient client;
  private volatile RedisURI uri;
  private final Runnable afterClose;

  /**
   * Not yet connected.
   *
   * @param client used by nobody else; closed with this
   * @param afterClose closes what is ours below the client
   */
  OneServer(RedisClient client, RedisURI uri, Runnable afterClose) {
    this.client = client;
    this.uri = uri;
    this.afterClose = afterClose;
  }

  /** For messages. */
  public final String address() {
    return Endpoint.address(uri);
  }

  /** Where it connects to. */
  final Destination destination() {
    return Endpoint.destination(List.of(uri));
  }

  /** Where it connects to, as whom, and under which name. */
  final RedisURI uri() {
    return uri;
  }

  @Override
  public void name(String label) {
    uri = Clients.named(uri, label);
  }

  @Override
  public boolean redirect(Call<?, ?> call, String serverWords) {
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

  /** Closes every connection that the client made. */
  @Override
  public void close() {
    Clients.end(client);
    afterClose.run();
  }
}
