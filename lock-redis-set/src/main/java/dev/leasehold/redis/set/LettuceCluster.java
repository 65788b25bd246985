package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ClientAnswers;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.WakeChannel;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster. Calls are sent on the connection of the node that has the key's slot, not
 * through Lettuce's own routing: that can't keep two commands together, and when it is set to
 * reject commands on broken connections, it also rejects the first command to each node.
 */
final class LettuceCluster implements LettuceRedis {
  private static final Pattern ASK = Pattern.compile("ASK \\d+ (.+):(\\d+)");
  private static final Pattern VERSION =
      Pattern.compile("^redis_version:(\\d+)", Pattern.MULTILINE);

  private final RedisClusterClient client;
  private final Runnable afterClose;
  private final StatefulRedisClusterConnection<byte[], byte[]> connection;
  private final Set<StatefulRedisClusterPubSubConnection<byte[], byte[]>> pubSubs =
      ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable CompletableFuture<Void>> refreshing =
      new AtomicReference<>();

  private final ConcurrentHashMap<StatefulRedisConnection<byte[], byte[]>, PipelinedConnection>
      pipelines = new ConcurrentHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  private final List<RedisURI> seeds;
  private final List<Runnable> refreshed = new CopyOnWriteArrayList<>();
  private final Silence silence = new Silence();

  private LettuceCluster(RedisClusterClient client, Runnable afterClose, List<RedisURI> where) {
    this.client = client;
    this.afterClose = afterClose;
    this.seeds = where;
    try {
      connection = client.connect(ByteArrayCodec.INSTANCE);
    } catch (RuntimeException e) {
      shutDown();
      throw Clients.FAILURES.connecting(e, LettuceAddress.destination(where));
    }
  }

  /** With a client of its own. */
  static LettuceCluster own(List<RedisURI> uris, ClientOptions options) {
    ClientResources resources = Clients.resources();
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    client.setOptions(
        ClusterClientOptions.builder(options)
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                    .build())
            .build());
    return new LettuceCluster(client, () -> Clients.shutDown(resources), uris);
  }

  /** With the threads and options of an application's client, which stays open. */
  static LettuceCluster beside(RedisClusterClient application) {
    List<RedisURI> uris = new ArrayList<>();
    try {
      application
          .getPartitions()
          .forEach(node -> uris.add(RedisURI.builder(node.getUri()).build())); // named below
    } catch (RuntimeException e) {
      throw Clients.FAILURES.of(e, "Could not connect to the Redis cluster");
    }
    ClientResources resources = Clients.beside(application.getResources());
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    client.setOptions(
        ClusterClientOptions.builder(Clients.forLocks(application.getOptions())).build());
    return new LettuceCluster(client, () -> Clients.shutDown(resources), uris);
  }

  /** Names the nodes' connections, which are made later, with the first call to each node. */
  @Override
  public void name(String label) {
    for (RedisURI seed : seeds) {
      if (seed.getClientName() == null) {
        seed.setClientName(label);
      }
    }
  }

  @Override
  public Silence silence() {
    return silence;
  }

  @Override
  public void send(PendingCommand<?> call) {
    int slot = SlotHash.getSlot(call.routingKey());
    RedisClusterNode node = client.getPartitions().getMasterBySlot(slot);
    if (node == null) {
      refresh();
      call.completeExceptionally(new RedisException("no node of the cluster has slot " + slot));
      return;
    }
    try {
      sendTo(
          connection.getConnectionAsync(node.getNodeId()),
          () -> LettuceAddress.address(node.getUri()),
          List::of,
          call);
    } catch (RedisException e) {
      refresh();
      call.completeExceptionally(e);
    }
  }

  private void sendTo(
      CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node,
      Supplier<String> address,
      Supplier<List<RedisCommand<byte[], byte[], ?>>> beforeEach,
      PendingCommand<?> call) {
    node.whenComplete(
        (open, failure) -> {
          if (failure == null && open.isOpen()) {
            pipelineOf(open, address).send(beforeEach, call);
          } else {
            refresh(); // its slots may have moved to a replica
            call.completeExceptionally(
                failure == null
                    ? new RedisException("not connected to " + address.get())
                    : failure);
          }
        });
  }

  private PipelinedConnection pipelineOf(
      StatefulRedisConnection<byte[], byte[]> node, Supplier<String> address) {
    PipelinedConnection known = pipelines.get(node);
    if (known != null) {
      return known;
    }
    pipelines.keySet().removeIf(before -> !before.isOpen()); // removed nodes
    return pipelines.computeIfAbsent(
        node, made -> new PipelinedConnection(made, address.get(), silence));
  }

  @Override
  public boolean redirect(PendingCommand<?> call, String serverWords) {
    if (serverWords.startsWith("MOVED ") && call.mayRedirect()) {
      refresh().whenComplete((done, failure) -> send(call));
      return true;
    }
    Matcher ask = ASK.matcher(serverWords);
    if (ask.matches() && call.mayRedirect()) {
      try {
        sendTo(
            connection.getConnectionAsync(ask.group(1), Integer.parseInt(ask.group(2))),
            () -> ask.group(1) + ":" + ask.group(2),
            LettuceCluster::asking,
            call);
      } catch (RedisException e) {
        call.completeExceptionally(e);
      }
      return true;
    }
    return false;
  }

  private static List<RedisCommand<byte[], byte[], ?>> asking() {
    return List.of(
        new AsyncCommand<>(
            new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE))));
  }

  /** Reloads the topology; concurrent callers share one reload. */
  CompletableFuture<Void> refresh() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> latest =
        Objects.requireNonNull(
            refreshing.updateAndGet(
                running -> running != null && !running.isDone() ? running : mine));
    if (latest == mine) {
      ClientAnswers.pass(client.refreshPartitionsAsync(), mine);
      mine.thenRun(() -> refreshed.forEach(Runnable::run));
    }
    return latest;
  }

  @Override
  public WakeChannel wakeChannel(String storeId, KeySpace keys) {
    boolean sharded =
        info("server").stream()
            .allMatch(
                text -> {
                  Matcher m = VERSION.matcher(text);
                  return m.find() && Integer.parseInt(m.group(1)) >= 7;
                });
    return sharded
        ? new ShardChannel(this, storeId, keys)
        : new StoreChannel(this, storeId, keys, Publishing.COUNTS_ONE_NODE);
  }

  /** On a thread of its own, as in {@link LettuceServer}. */
  @Override
  public CompletableFuture<StatefulRedisClusterPubSubConnection<byte[], byte[]>> connectPubSub() {
    CompletableFuture<StatefulRedisClusterPubSubConnection<byte[], byte[]>> made =
        Clients.onItsThreads(
            client.getResources(), () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE));
    made.thenAccept(pubSubs::add);
    return made;
  }

  /** Not needed: here each channel detects it. */
  @Override
  public void onNewPrimary(Runnable listener) {}

  /** Calls a listener after each reload of the topology: any slot may have a new primary. */
  void onRefresh(Runnable listener) {
    refreshed.add(listener);
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
    RedisClusterNode node = client.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    return node == null ? "" : node.getNodeId();
  }

  @Override
  public boolean takesManyKeys() {
    return false;
  }

  @Override
  public List<String> info(String section) {
    try {
      List<String> infos = new ArrayList<>();
      for (RedisClusterNode node : client.getPartitions()) {
        if (node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty()) {
          infos.add(connection.getConnection(node.getNodeId()).sync().info(section));
        }
      }
      return infos;
    } catch (RedisException e) {
      throw Clients.FAILURES.of(e, "Could not ask the Redis cluster for INFO " + section);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // Before the client, which would close each node's connection a second time, with a warning.
    connection.close();
    pubSubs.forEach(StatefulRedisClusterPubSubConnection::close);
    shutDown();
  }

  /** Closes all connections that the client made. */
  private void shutDown() {
    Clients.end(client);
    afterClose.run();
  }
}
