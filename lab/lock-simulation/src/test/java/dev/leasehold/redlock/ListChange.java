package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Changes the list of a quorum's nodes as described in {@code docs/changing-nodes.md}: all clients
 * are restarted with new lists, one after another, while they contend. A list grows, shrinks or is
 * replaced by way of a majority of both; or it changes by one node. A {@link Mutant} may omit a
 * step. Not thread-safe.
 */
final class ListChange {
  /** The number of servers that lists are drawn from. */
  static final int SERVERS = 7;

  private static final int LEAST_NODES = 3;
  private static final int MOST_NODES = 5;
  private static final int CHANGES = 3;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(300);

  private final RandomGenerator random;

  /** The lists that clients are started with: one list, or the new and the previous one. */
  private final List<List<List<Integer>>> steps = new ArrayList<>();

  /** The step of each client. */
  private final Map<SimNode, Integer> stepOf = new HashMap<>();

  private int step;
  private boolean underWay;

  /** The clients to restart. */
  interface Clients {
    /** The clients that have not crashed. */
    List<SimClient> running();

    /** Crashes a client and starts another one in its place. */
    void restart(SimClient client);

    /** Whether nothing new is started. */
    boolean isStopped();
  }

  ListChange(RandomGenerator random, Mutant mutant) {
    this.random = random;
    List<Integer> list = any();
    steps.add(List.of(list));
    for (int i = 0; i < CHANGES; i++) {
      List<Integer> before = list;
      if (mutant == Mutant.LIST_AT_ONCE) {
        do {
          list = any();
        } while (!mayBeApart(before, list));
      } else if (random.nextBoolean()) {
        list = byOne(before);
      } else {
        list = any();
        steps.add(List.of(list, before));
      }
      steps.add(List.of(list));
    }
  }

  private List<Integer> any() {
    List<Integer> others = all();
    List<Integer> list = new ArrayList<>();
    int size = random.nextInt(LEAST_NODES, MOST_NODES + 1);
    while (list.size() < size) {
      list.add(others.remove(random.nextInt(others.size())));
    }
    return list;
  }

  private static List<Integer> all() {
    return new ArrayList<>(IntStream.range(0, SERVERS).boxed().toList());
  }

  private List<Integer> byOne(List<Integer> before) {
    List<Integer> list = new ArrayList<>(before);
    if (list.size() == LEAST_NODES || (list.size() < MOST_NODES && random.nextBoolean())) {
      List<Integer> others = all();
      others.removeAll(before);
      list.add(others.get(random.nextInt(others.size())));
    } else {
      list.remove(random.nextInt(list.size()));
    }
    return list;
  }

  /** Whether a majority of one list may be disjoint from a majority of the other. */
  private static boolean mayBeApart(List<Integer> one, List<Integer> other) {
    int common = (int) one.stream().filter(other::contains).count();
    return common(one, common) + common(other, common) <= common;
  }

  /** How many of the common nodes a majority needs at least. */
  private static int common(List<Integer> list, int common) {
    return Math.max(0, list.size() / 2 + 1 - (list.size() - common));
  }

  /** Whether a server is in the initial list. */
  boolean isFirst(int server) {
    return steps.get(0).get(0).contains(server);
  }

  /**
   * A client has started. Returns its servers, each once; during a change it may be on either step.
   */
  List<Integer> come(SimNode client) {
    stepOf.putIfAbsent(client, underWay && random.nextBoolean() ? step - 1 : step);
    return lists(client).stream().flatMap(List::stream).distinct().toList();
  }

  private List<List<Integer>> lists(SimNode client) {
    return steps.get(stepOf.get(client));
  }

  /** A client's quorum, as {@link RedlockBackend} creates it from such lists. */
  QuorumLeaseStore quorum(SimNode client, List<? extends LeaseStore> nodes, Duration longest) {
    List<Integer> servers = come(client);
    List<List<Integer>> lists =
        lists(client).stream().map(list -> list.stream().map(servers::indexOf).toList()).toList();
    QuorumPolicy majority = QuorumPolicy.majority();
    QuorumPolicy policy = lists.size() == 1 ? majority : new JointPolicy(majority, lists);
    return new QuorumLeaseStore(nodes, policy, longest, lists);
  }

  /** Starts the changes, and continues while there are steps. */
  void begin(SimWorld world, Clients clients, Duration longestLease) {
    world.after(pause(), () -> next(world, clients, longestLease));
  }

  private Duration pause() {
    return Duration.ofNanos(random.nextLong(LONGEST_PAUSE.toNanos()) + 1);
  }

  private void next(SimWorld world, Clients clients, Duration longestLease) {
    if (!clients.isStopped() && step + 1 < steps.size()) {
      step++;
      underWay = true;
      world.trace("lists", steps.get(step));
      world.after(pause(), () -> restartOne(world, clients, longestLease));
    }
  }

  private void restartOne(SimWorld world, Clients clients, Duration longestLease) {
    Optional<SimClient> old =
        clients.running().stream().filter(client -> stepOf.get(client.node()) < step).findFirst();
    underWay = false; // the new client is on this step
    old.ifPresent(clients::restart);
    underWay = old.isPresent();
    Duration wait = old.isPresent() ? pause() : longestLease;
    world.after(
        wait,
        old.isPresent()
            ? () -> restartOne(world, clients, longestLease)
            : () -> next(world, clients, longestLease));
  }
}
