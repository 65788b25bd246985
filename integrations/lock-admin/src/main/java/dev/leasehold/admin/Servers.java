package dev.leasehold.admin;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Addresses;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.ReplacedSetting;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A single server, a cluster, or the nodes of a quorum. Thread-safe. */
final class Servers implements AutoCloseable {

  /** The answer of one server: a value or a failure. */
  record Answer<T>(int node, @Nullable T value, @Nullable LockStoreException failure) {

    /** Returns the failure in one line. */
    Optional<String> why() {
      return Optional.ofNullable(failure).map(e -> Quoted.text("" + e.getMessage()));
    }
  }

  /** The single server or cluster, or the nodes of a quorum. */
  private final List<ReconnectingServer> nodes;

  /** The indices of each list's nodes: a quorum is a majority of each list. */
  private final List<List<Integer>> lists;

  private final ClientResources resources;
  private final Replying replying;

  private Servers(
      List<ReconnectingServer> nodes,
      List<List<Integer>> lists,
      ClientResources resources,
      Replying replying) {
    this.nodes = nodes;
    this.lists = lists;
    this.resources = resources;
    this.replying = replying;
  }

  /**
   * Connects to the servers. Blocks.
   *
   * @throws LockStoreException if no server can be reached
   */
  static Servers open(LockSettings settings) {
    Map<String, LettuceAddress> all = new LinkedHashMap<>();
    List<List<Integer>> lists = new ArrayList<>();
    if (AdminSettings.isQuorum(settings)) {
      add(settings, AdminSettings.NODES, settings.get(AdminSettings.NODES), all, lists);
      settings
          .find(AdminSettings.NODES_BEFORE)
          .ifPresent(uris -> add(settings, AdminSettings.NODES_BEFORE, uris, all, lists));
    } else {
      all.put("", LettuceAddress.of(settings));
      lists.add(List.of(0));
    }
    boolean cluster = isCluster(settings);
    Replying replying = new Replying(settings.get(AdminSettings.COMMAND_TIMEOUT));
    // The few threads that a tool needs.
    ClientResources resources =
        ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
            .build();
    List<ReconnectingServer> nodes =
        all.values().stream()
            .map(
                to ->
                    new ReconnectingServer(
                        to,
                        () ->
                            cluster
                                ? Server.cluster(to, resources, replying)
                                : Server.connect(to, resources, replying)))
            .toList();
    Servers servers = new Servers(nodes, lists, resources, replying);
    try {
      servers.checkReachable();
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** Returns whether the settings name a cluster. */
  static boolean isCluster(LockSettings settings) {
    return !AdminSettings.isQuorum(settings) && settings.get(RedisSettings.CLUSTER);
  }

  /** Adds one of the lists of a quorum's nodes. */
  private static void add(
      LockSettings settings,
      Setting<List<String>> list,
      List<String> uris,
      Map<String, LettuceAddress> all,
      List<List<Integer>> lists) {
    String source = list.key() + ", " + settings.origin(list.key());
    for (String uri : uris) {
      LockSettings own =
          new ReplacedSetting(
              settings, RedisSettings.URI.key(), uri, source, "the node " + Addresses.place(uri));
      all.computeIfAbsent(uri, u -> LettuceAddress.of(own));
    }
    List<String> order = List.copyOf(all.keySet());
    lists.add(uris.stream().map(order::indexOf).distinct().toList());
  }

  private void checkReachable() {
    // A little longer than the client: its failure says more than a time-out here would.
    Replying patient =
        new Replying(
            nodes.stream()
                .map(ReconnectingServer::connectTimeout)
                .reduce(replying.within(), (a, b) -> a.compareTo(b) > 0 ? a : b)
                .plusSeconds(1));
    throwIfAllFailed(askAll(CompletableFuture::completedFuture, "connect to", patient));
  }

  int count() {
    return nodes.size();
  }

  boolean isQuorum() {
    return count() > 1;
  }

  String address(int node) {
    return nodes.get(node).address();
  }

  /** Returns the addresses of some nodes. */
  List<String> addresses(List<Integer> some) {
    return some.stream().map(this::address).toList();
  }

  /** Returns whether some nodes are a quorum. */
  boolean isEnough(List<Integer> some) {
    return lists.stream()
        .allMatch(list -> 2 * list.stream().filter(some::contains).count() > list.size());
  }

  /** Returns a server. The stage fails with {@code LockStoreException} if it can't be reached. */
  CompletableFuture<Server> server(int node) {
    return nodes.get(node).server();
  }

  Replying replying() {
    return replying;
  }

  /**
   * Asks all nodes at once, and waits for all. The answers are in the order of the nodes.
   *
   * @param operation "list locks of", for messages
   */
  <T> List<Answer<T>> askAll(Function<Server, CompletableFuture<T>> ask, String operation) {
    return askAll(ask, operation, replying);
  }

  private <T> List<Answer<T>> askAll(
      Function<Server, CompletableFuture<T>> ask, String operation, Replying awaiting) {
    List<CompletableFuture<T>> asked = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      asked.add(server(i).thenCompose(ask));
    }
    List<Answer<T>> answers = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      try {
        answers.add(new Answer<>(i, awaiting.await(asked.get(i), what(operation, i)), null));
      } catch (LockStoreException e) {
        answers.add(new Answer<>(i, null, e));
      }
    }
    return answers;
  }

  /** Throws the first failure if no server has answered. */
  static void throwIfAllFailed(List<? extends Answer<?>> answers) {
    if (answers.stream().allMatch(answer -> answer.failure() != null)) {
      throw Objects.requireNonNull(answers.get(0).failure());
    }
  }

  NodeState state(Answer<?> answer, List<HoldId> holds) {
    return new NodeState(address(answer.node()), answer.why(), holds);
  }

  String what(String operation, int node) {
    return "Could not " + operation + " Redis at " + address(node);
  }

  @Override
  public void close() {
    nodes.forEach(ReconnectingServer::close);
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
