package dev.leasehold.admin;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.set.LettuceAddress;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A single server, a cluster, or the nodes of a quorum. Thread-safe. */
final class Servers implements AutoCloseable {

  /** The answer of one server: a value or a failure. */
  record Answer<T>(int node, @Nullable T value, @Nullable LockStoreException failure) {}

  /** The single server, or the nodes of a quorum; null for a cluster. */
  private final List<ReconnectingServer> nodes;

  private final @Nullable Server cluster;
  private final ClientResources resources;
  private final Replying replying;

  /** The indices of each list's nodes: a quorum is a majority of each list. */
  private final List<List<Integer>> lists;

  private Servers(
      List<ReconnectingServer> nodes,
      @Nullable Server cluster,
      List<List<Integer>> lists,
      ClientResources resources,
      Replying replying) {
    this.nodes = nodes;
    this.cluster = cluster;
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
    Replying replying = new Replying(settings.get(AdminSettings.COMMAND_TIMEOUT));
    if (AdminSettings.isQuorum(settings)) {
      return quorum(settings, replying);
    }
    LettuceAddress to = LettuceAddress.of(settings);
    ClientResources resources = Lettuce.resources();
    List<List<Integer>> alone = List.of(List.of(0));
    if (settings.get(RedisSettings.CLUSTER)) {
      try {
        Server cluster = new ClusterServers(to, resources, replying);
        return new Servers(List.of(), cluster, alone, resources, replying);
      } catch (RuntimeException e) {
        Lettuce.shutDown(resources);
        throw e;
      }
    }
    ReconnectingServer node = new ReconnectingServer(to, resources, replying);
    return new Servers(List.of(node), null, alone, resources, replying).checked();
  }

  private static Servers quorum(LockSettings settings, Replying replying) {
    Map<String, LettuceAddress> all = new LinkedHashMap<>();
    List<List<Integer>> lists = new ArrayList<>();
    for (var list : List.of(AdminSettings.NODES, AdminSettings.NODES_BEFORE)) {
      Optional<List<String>> uris =
          list == AdminSettings.NODES ? Optional.of(settings.get(list)) : settings.find(list);
      uris.ifPresent(
          each -> {
            each.forEach(
                uri ->
                    all.computeIfAbsent(
                        uri,
                        u -> LettuceAddress.of(new AdminSettings.At(settings, uri, list.key()))));
            List<String> order = List.copyOf(all.keySet());
            lists.add(each.stream().map(order::indexOf).distinct().toList());
          });
    }
    ClientResources resources = Lettuce.resources();
    List<ReconnectingServer> nodes =
        all.values().stream().map(to -> new ReconnectingServer(to, resources, replying)).toList();
    return new Servers(nodes, null, lists, resources, replying).checked();
  }

  /** Returns itself; closes and throws if no server can be reached. */
  private Servers checked() {
    try {
      checkReachable();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void checkReachable() {
    // A little longer than the client: its failure says more than a time-out here would.
    Replying patient =
        new Replying(
            nodes.stream()
                .map(ReconnectingServer::connectTimeout)
                .reduce(replying.within(), (a, b) -> a.compareTo(b) > 0 ? a : b)
                .plusSeconds(1));
    List<Answer<String>> answers =
        askAll(
            server -> CompletableFuture.completedFuture(server.address()), "connect to", patient);
    if (answers.stream().allMatch(answer -> answer.failure() != null)) {
      throw Objects.requireNonNull(answers.get(0).failure());
    }
  }

  int count() {
    return cluster == null ? nodes.size() : 1;
  }

  boolean isQuorum() {
    return count() > 1;
  }

  boolean isCluster() {
    return cluster != null;
  }

  String address(int node) {
    return cluster == null ? nodes.get(node).address() : cluster.address();
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
    return cluster == null ? nodes.get(node).server() : CompletableFuture.completedFuture(cluster);
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

  String what(String operation, int node) {
    return "Could not " + operation + " Redis at " + address(node);
  }

  @Override
  public void close() {
    if (cluster != null) {
      cluster.close();
    }
    nodes.forEach(ReconnectingServer::close);
    Lettuce.shutDown(resources);
  }
}
