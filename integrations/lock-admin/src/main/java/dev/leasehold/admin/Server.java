package dev.leasehold.admin;

import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One Redis server, the primary named by Sentinels, or a cluster, on connections that reconnect by
 * themselves. Methods do not block unless they say so. Thread-safe.
 */
final class Server implements AutoCloseable {
  private static final Pattern RUN_ID = Pattern.compile("^run_id:(\\w+)", Pattern.MULTILINE);

  /** From this version on there is sharded pub/sub. */
  private static final Pattern SHARDED =
      Pattern.compile("^redis_version:(?:[7-9]|\\d\\d)", Pattern.MULTILINE);

  private final String address;
  private final AbstractRedisClient client;
  private final Consumer<RedisCommand<byte[], byte[], ?>> dispatch;
  private final Supplier<List<Primary>> primaries;
  private final Replying replying;
  private final WakeUpBy wakeUpBy;

  /** How stores on this server listen for wake-ups. */
  enum WakeUpBy {
    /** One channel per store; the server counts all receivers. */
    STORE_CHANNEL,
    /** One channel per store; each server of the cluster counts only its own receivers. */
    STORE_CHANNEL_IN_CLUSTER,
    /** One channel per store in the lock's slot. */
    SHARD_CHANNEL
  }

  /** A server that has keys: the only one, or one of a cluster's. */
  private record Primary(
      String address,
      CompletableFuture<? extends RedisClusterAsyncCommands<byte[], byte[]>> commands) {

    <T> CompletableFuture<T> ask(
        Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
      return commands.thenCompose(command);
    }
  }

  private Server(
      String address,
      AbstractRedisClient client,
      Consumer<RedisCommand<byte[], byte[], ?>> dispatch,
      Supplier<List<Primary>> primaries,
      WakeUpBy wakeUpBy,
      Replying replying) {
    this.address = address;
    this.client = client;
    this.dispatch = dispatch;
    this.primaries = primaries;
    this.wakeUpBy = wakeUpBy;
    this.replying = replying;
  }

  /** Connects to one server; the stage fails with {@code LockStoreException}. */
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
              Primary alone =
                  new Primary(to.toString(), CompletableFuture.completedFuture(connection.async()));
              return new Server(
                  to.toString(),
                  client,
                  connection::dispatch,
                  () -> List.of(alone),
                  WakeUpBy.STORE_CHANNEL,
                  replying);
            });
  }

  /** Connects to a cluster. Blocks; the stage fails with {@code LockStoreException}. */
  static CompletableFuture<Server> cluster(
      LettuceAddress to, ClientResources resources, Replying replying) {
    RedisClusterClient client = RedisClusterClient.create(resources, to.uris());
    client.setOptions(
        // Lettuce makes the connection to a node with the first command to it, which it must keep
        // meanwhile.
        ClusterClientOptions.builder(to.options())
            .disconnectedBehavior(DisconnectedBehavior.DEFAULT)
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(Duration.ofSeconds(10))
                    .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                    .build())
            .build());
    try {
      StatefulRedisClusterConnection<byte[], byte[]> connection =
          client.connect(ByteArrayCodec.INSTANCE);
      Supplier<List<Primary>> primaries = () -> primaries(client, connection);
      List<String> infos =
          replying.await(
              onEach(primaries.get(), node -> node.info("server")), "Could not ask " + to);
      boolean sharded = infos.stream().allMatch(info -> SHARDED.matcher(info).find());
      return CompletableFuture.completedFuture(
          new Server(
              to.toString(),
              client,
              connection::dispatch,
              primaries,
              sharded ? WakeUpBy.SHARD_CHANNEL : WakeUpBy.STORE_CHANNEL_IN_CLUSTER,
              replying));
    } catch (RuntimeException e) {
      shutDown(client);
      return CompletableFuture.failedFuture(Replying.unreached(e, to));
    }
  }

  private static List<Primary> primaries(
      RedisClusterClient client, StatefulRedisClusterConnection<byte[], byte[]> connection) {
    return client.getPartitions().stream()
        .filter(node -> node.is(NodeFlag.UPSTREAM) && !node.getSlots().isEmpty())
        .map(
            node ->
                new Primary(
                    node.getUri().getHost() + ":" + node.getUri().getPort(),
                    connection
                        .getConnectionAsync(node.getNodeId())
                        .thenApply(StatefulRedisConnection::async)))
        .toList();
  }

  private static <T> CompletableFuture<List<T>> onEach(
      List<Primary> primaries,
      Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
    List<CompletableFuture<T>> asked =
        primaries.stream().map(primary -> primary.ask(command)).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
  }

  /**
   * Scans the keys of all primaries, in batches that are fetched on demand. A key may be returned
   * twice, as by {@code SCAN}. The iterator blocks, and throws {@code LockStoreException}.
   */
  Iterator<List<byte[]>> scan(KeyScanArgs args) {
    Iterator<Primary> left = primaries.get().iterator();
    return new Iterator<>() {
      private @Nullable Primary from;
      private ScanCursor cursor = ScanCursor.FINISHED;
      private List<byte[]> next = List.of();

      @Override
      public boolean hasNext() {
        while (next.isEmpty() && (!cursor.isFinished() || left.hasNext())) {
          if (from == null || cursor.isFinished()) {
            from = left.next();
            cursor = ScanCursor.INITIAL;
          }
          ScanCursor before = cursor;
          KeyScanCursor<byte[]> batch =
              replying.await(
                  from.ask(redis -> redis.scan(before, args)),
                  "Could not scan the keys of " + from.address());
          cursor = batch;
          next = batch.getKeys();
        }
        return !next.isEmpty();
      }

      @Override
      public List<byte[]> next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        List<byte[]> batch = next;
        next = List.of();
        return batch;
      }
    };
  }

  /**
   * Runs a script on the server of its first key, by its digest or, if the server does not know it,
   * by its text.
   */
  CompletableFuture<Object> run(LuaCall call) {
    return sent(call.byDigest())
        .exceptionallyCompose(
            failure ->
                Replying.unwrapped(failure) instanceof RedisNoScriptException
                    ? sent(call.byText())
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Object> sent(AsyncCommand<byte[], byte[], Object> command) {
    dispatch.accept(command);
    return command;
  }

  /** Returns the lines of {@code CLIENT LIST} of all primaries. */
  CompletableFuture<List<String>> clientList() {
    return onEach(primaries.get(), redis -> redis.clientList());
  }

  /** Requests one batch of keys, from one primary of a cluster, to check that this is permitted. */
  CompletableFuture<?> firstScan(KeyScanArgs args) {
    return primaries.get().get(0).ask(redis -> redis.scan(args));
  }

  /**
   * Returns facts about each primary, which are examined one after another.
   *
   * @param budget how long to measure the clock and the latency of all
   */
  CompletableFuture<List<ServerFacts>> facts(Duration budget) {
    List<Primary> each = primaries.get();
    Duration share = budget.dividedBy(Math.max(1, each.size()));
    List<ServerFacts> facts = new ArrayList<>();
    CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    for (Primary primary : each) {
      last =
          last.thenCompose(
              before ->
                  primary
                      .ask(redis -> ServerFacts.of(primary.address(), redis, share))
                      .thenAccept(facts::add));
    }
    return last.thenApply(done -> facts);
  }

  /**
   * Returns how a store of this library is notified on this server: {@code PUBLISH} or {@code
   * SPUBLISH}, and the channel.
   */
  WakeUpBy wakeUpBy() {
    return wakeUpBy;
  }

  /** Returns the {@code run_id} of a single server. */
  CompletableFuture<String> runId() {
    return primaries
        .get()
        .get(0)
        .ask(redis -> redis.info("server"))
        .thenApply(
            info -> {
              Matcher id = RUN_ID.matcher(info);
              return id.find() ? id.group(1) : "";
            });
  }

  /** Returns its address for display, without credentials. */
  @Override
  public String toString() {
    return address;
  }

  /** Closes the connections. Blocks. Idempotent. */
  @Override
  public void close() {
    shutDown(client);
  }

  private static void shutDown(AbstractRedisClient client) {
    client.shutdownAsync(0, 2, TimeUnit.SECONDS).handle((done, failure) -> true).join();
  }
}
