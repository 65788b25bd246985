package dev.leasehold.redlock;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Addresses;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;

/** The backend's settings, besides those of its nodes. */
final class RedlockSettings {
  /** The key of a node's server address; each node gets its own value. */
  static final String NODE_URI = "lock.redis.uri";

  static final String DEFAULT_NODE_BACKEND = "redis-set";

  static final Setting<List<String>> NODES =
      Setting.optionalText("lock.redlock.nodes", "The servers, each independent of the others.")
          .typed("3 to 63 URIs as lock.redis.uri takes them, separated by commas")
          .address()
          .map(RedlockSettings::uris);

  static final Setting<List<String>> NODES_BEFORE =
      Setting.optionalText(
              "lock.redlock.nodes-before",
              "While the list of nodes is changed: the one before. A hold then needs a majority of"
                  + " both. See docs/changing-nodes.md.")
          .typed("3 to 63 URIs as lock.redis.uri takes them, separated by commas")
          .address()
          .map(RedlockSettings::uris);

  static final Setting<String> NODE_BACKEND =
      Setting.text(
          "lock.redlock.node-backend",
          DEFAULT_NODE_BACKEND,
          "Id of the backend that each node is made with; its settings hold for all nodes.");

  static final Setting<Duration> LONGEST_LEASE =
      Setting.duration(
          "lock.redlock.longest-lease",
          Duration.ofMinutes(1),
          LockOptions.SHORTEST_LEASE,
          LockOptions.LONGEST_LEASE,
          "No lease may be longer; a new or restarted node does not vote for this long (two seconds"
              + " at least). The same in all clients.");

  static final Setting<Boolean> ALLOW_UNGUARDED =
      Setting.flag(
          "lock.redlock.allow-unguarded",
          false,
          "Whether nodes may be of a backend that lets a restarted server vote at once. Then keep"
              + " it down for the longest lease yourself.");

  /** The engine's setting, read here to be checked against the longest lease. */
  static final Setting<Duration> LEASE =
      Setting.duration(
          "lock.lease",
          LockOptions.defaults().lease(),
          LockOptions.SHORTEST_LEASE,
          LockOptions.LONGEST_LEASE,
          "");

  /** Likewise. */
  static final Setting<Duration> AT_LEAST =
      Setting.duration(
          "lock.at-least",
          LockOptions.defaults().atLeast(),
          Duration.ZERO,
          LockOptions.LONGEST_LEASE,
          "");

  private RedlockSettings() {}

  static List<Setting<?>> all() {
    return List.of(NODES, NODES_BEFORE, NODE_BACKEND, LONGEST_LEASE, ALLOW_UNGUARDED);
  }

  /** A node's URI as messages, logs and events show it: without user and password. */
  static String address(String uri) {
    return Addresses.place(uri);
  }

  private static List<String> uris(String text) {
    List<String> uris = Addresses.several(text);
    if (uris.size() < QuorumLeaseStore.LEAST_NODES || uris.size() > QuorumLeaseStore.MOST_NODES) {
      throw new IllegalArgumentException("these are " + uris.size());
    }
    if (uris.stream().anyMatch(String::isEmpty)) {
      throw new IllegalArgumentException("one of them is empty");
    }
    return uris;
  }
}
