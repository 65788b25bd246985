package dev.leasehold.admin;

import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A cluster: scans all primaries, and sends each script to the primary of its keys. */
final class ClusterServers implements Server {
  private final String address;
  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Replying replying;
  private final WakeUpBy wakeUpBy;

  /** Connects to the cluster. Blocks. */
  ClusterServers(LettuceAddress to, ClientResources resources, Replying replying) {
    this.address = to.toString();
    this.replying = replying;
    this.client = RedisClusterClient.create(resources, to.uris());
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
      connection = client.connect(ByteArrayCodec.INSTANCE);
      boolean sharded =
          onEach(node -> node.async().info("server").toCompletableFuture()).stream()
              .allMatch(
                  info -> Lettuce.isSharded(replying.await(info, "Could not ask " + address)));
      wakeUpBy = sharded ? WakeUpBy.SHARD_CHANNEL : WakeUpBy.STORE_CHANNEL_IN_CLUSTER;
    } catch (RuntimeException e) {
      close();
      throw Replying.unreached(e, to);
    }
  }

  private interface Ask<T> {
    CompletableFuture<T> of(StatefulRedisConnection<byte[], byte[]> node);
  }

  private List<RedisClusterNode> primaries() {
    return client.getPartitions().stream()
        .filter(node -> node.is(NodeFlag.UPSTREAM) && !node.getSlots().isEmpty())
        .toList();
  }

  private <T> List<CompletableFuture<T>> onEach(Ask<T> ask) {
    List<CompletableFuture<T>> asked = new ArrayList<>();
    for (RedisClusterNode node : primaries()) {
      asked.add(connection.getConnectionAsync(node.getNodeId()).thenCompose(ask::of));
    }
    return asked;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Iterator<List<byte[]>> scan(KeyScanArgs args) {
    Iterator<RedisClusterNode> nodes = primaries().iterator();
    return new Iterator<>() {
      private Iterator<List<byte[]>> now = List.<List<byte[]>>of().iterator();

      @Override
      public boolean hasNext() {
        while (!now.hasNext() && nodes.hasNext()) {
          RedisClusterNode node = nodes.next();
          String what =
              "Could not scan the keys of "
                  + node.getUri().getHost()
                  + ":"
                  + node.getUri().getPort();
          StatefulRedisConnection<byte[], byte[]> on =
              replying.await(connection.getConnectionAsync(node.getNodeId()), what);
          now = Lettuce.batches((cursor, a) -> on.async().scan(cursor, a), args, replying, what);
        }
        return now.hasNext();
      }

      @Override
      public List<byte[]> next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return now.next();
      }
    };
  }

  @Override
  public CompletableFuture<Object> run(LuaCall call) {
    return Lettuce.run(call, connection::dispatch);
  }

  @Override
  public CompletableFuture<List<String>> clientList() {
    return all(onEach(node -> node.async().clientList().toCompletableFuture()));
  }

  private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> asked) {
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public CompletableFuture<?> firstScan(KeyScanArgs args) {
    return onEach(node -> node.async().scan(args).toCompletableFuture()).get(0);
  }

  @Override
  public CompletableFuture<List<ServerFacts>> facts(Duration budget) {
    List<RedisClusterNode> primaries = primaries();
    Duration share = budget.dividedBy(Math.max(1, primaries.size()));
    // One after another: each is measured alone.
    CompletableFuture<List<ServerFacts>> all = CompletableFuture.completedFuture(List.of());
    for (RedisClusterNode primary : primaries) {
      String at = primary.getUri().getHost() + ":" + primary.getUri().getPort();
      all =
          all.thenCompose(
              before ->
                  connection
                      .getConnectionAsync(primary.getNodeId())
                      .thenCompose(node -> ServerFacts.of(at, node.async(), share))
                      .thenApply(
                          facts -> Stream.concat(before.stream(), Stream.of(facts)).toList()));
    }
    return all;
  }

  @Override
  public WakeUpBy wakeUpBy() {
    return wakeUpBy;
  }

  @Override
  public CompletableFuture<String> runId() {
    return CompletableFuture.completedFuture("");
  }

  @Override
  public void close() {
    client.shutdownAsync(0, 2, TimeUnit.SECONDS).handle((done, failure) -> true).join();
  }
}
