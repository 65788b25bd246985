package dev.leasehold.admin;

import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A single server, or the primary named by Sentinels, over a connection that reconnects. */
final class SingleServer implements Server {
  private final String address;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final Replying replying;

  private SingleServer(
      String address,
      RedisClient client,
      StatefulRedisConnection<byte[], byte[]> connection,
      Replying replying) {
    this.address = address;
    this.client = client;
    this.connection = connection;
    this.replying = replying;
  }

  /** Connects to it; the stage fails with {@code LockStoreException}. */
  static CompletableFuture<Server> connect(
      LettuceAddress to, ClientResources resources, Replying replying) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(to.options());
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, to.uris().get(0))
        .toCompletableFuture()
        .handle(
            (connection, failure) -> {
              if (failure != null) {
                client.shutdownAsync(0, 2, TimeUnit.SECONDS);
                throw Replying.unreached(failure, to);
              }
              return new SingleServer(to.toString(), client, connection, replying);
            });
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Iterator<List<byte[]>> scan(KeyScanArgs args) {
    return Lettuce.batches(
        (cursor, a) -> connection.async().scan(cursor, a),
        args,
        replying,
        "Could not scan the keys of " + address);
  }

  @Override
  public CompletableFuture<Object> run(LuaCall call) {
    return Lettuce.run(call, connection::dispatch);
  }

  @Override
  public CompletableFuture<List<String>> clientList() {
    return connection.async().clientList().toCompletableFuture().thenApply(List::of);
  }

  @Override
  public CompletableFuture<?> firstScan(KeyScanArgs args) {
    return connection.async().scan(args).toCompletableFuture();
  }

  @Override
  public CompletableFuture<List<ServerFacts>> facts(Duration budget) {
    return ServerFacts.of(address, connection.async(), budget).thenApply(List::of);
  }

  @Override
  public WakeUpBy wakeUpBy() {
    return WakeUpBy.STORE_CHANNEL;
  }

  @Override
  public CompletableFuture<String> runId() {
    return connection.async().info("server").toCompletableFuture().thenApply(Lettuce::runId);
  }

  @Override
  public void close() {
    client.shutdownAsync(0, 2, TimeUnit.SECONDS).handle((done, failure) -> true).join();
  }
}
