package dev.leasehold.admin;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Addresses;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RedisSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The backends' settings as this tool reads them: the servers, and the key format. The backends
 * themselves need not be on the path.
 */
final class AdminSettings {
  private static final String REDLOCK = "redlock";
  private static final String SET = "redis-set";
  private static final String SETNX = "redis-setnx";
  private static final String REDISSON = "redisson";
  private static final List<String> BACKENDS = List.of(SET, SETNX, REDISSON, REDLOCK);

  static final Setting<List<String>> NODES =
      nodes("lock.redlock.nodes", "The servers of the quorum.");
  static final Setting<List<String>> NODES_BEFORE =
      nodes("lock.redlock.nodes-before", "The former servers of the quorum.");
  static final Setting<Duration> LONGEST_LEASE =
      Setting.duration(
          "lock.redlock.longest-lease",
          Duration.ofMinutes(1),
          LockOptions.SHORTEST_LEASE,
          LockOptions.LONGEST_LEASE,
          "The longest lease of the quorum's clients.");

  /** The engine's setting; it limits each call of this tool as well. */
  static final Setting<Duration> COMMAND_TIMEOUT =
      Setting.duration(
          "lock.command-timeout",
          Duration.ofSeconds(2),
          Duration.ofMillis(1),
          Duration.ofMinutes(10),
          "The longest that one call may take.");

  /** The setting of {@code redis-set}. */
  static final Setting<Integer> WAIT_REPLICAS =
      Setting.integer(
          "lock.redis-set.wait-replicas", 0, 0, 100, "Replicas that acquisitions wait for.");

  /** Those read after the connections are made. */
  static final List<Setting<?>> READ_LATER =
      List.of(LONGEST_LEASE, WAIT_REPLICAS, RedisSettings.ALLOW_EVICTION);

  private static final Setting<String> BACKEND =
      Setting.optionalText("lock.backend", "The format of the locks.")
          .typed("one of " + String.join(", ", BACKENDS) + ": backends on Redis")
          .map(AdminSettings::listed);
  private static final Setting<String> NODE_BACKEND =
      Setting.text("lock.redlock.node-backend", SET, "The format of the locks on nodes.")
          .typed("one of " + String.join(", ", List.of(SET, SETNX, REDISSON)))
          .map(AdminSettings::listed);
  private static final Setting<String> SET_MODE =
      Setting.choice(
          "lock.redis-set.mode", "fenced", List.of("fenced", "plain"), "The format of redis-set.");
  private static final Setting<String> SETNX_SCHEME =
      Setting.choice(
          "lock.redis-setnx.scheme",
          "setnx-script",
          List.of("setnx-script", "setnx-timestamp", "yii2", "redis-objects", "millis", "seconds"),
          "The format of redis-setnx.");
  private static final Setting<String> REDISSON_CONFIG =
      Setting.optionalText("lock.redisson.config", "Redisson's own YAML file.");

  private AdminSettings() {}

  private static Setting<List<String>> nodes(String key, String meaning) {
    return Setting.optionalText(key, meaning)
        .typed("3 to 63 URIs as lock.redis.uri takes them, separated by commas")
        .address()
        .map(AdminSettings::uris);
  }

  static boolean isQuorum(LockSettings settings) {
    Optional<String> backend = settings.find(BACKEND);
    return backend.isPresent()
        ? backend.get().equals(REDLOCK)
        : settings.text(NODES.key()).isPresent();
  }

  /**
   * Returns the format of the locks that the settings select.
   *
   * @throws LockConfigurationException if its keys are not on a Redis that the settings name
   */
  static Layout layout(LockSettings settings) {
    KeySpace space = KeySpace.of(settings);
    switch (isQuorum(settings) ? settings.get(NODE_BACKEND) : settings.find(BACKEND).orElse(SET)) {
      case REDISSON -> {
        if (settings.text(REDISSON_CONFIG.key()).isPresent()) {
          throw new LockConfigurationException(
              RedisSettings.named(settings, REDISSON_CONFIG)
                  + ": LockAdmin does not read Redisson's file; leave it out, and name the server"
                  + " by "
                  + RedisSettings.URI.key());
        }
        return new RedissonLayout(space);
      }
      case SETNX -> {
        return switch (settings.get(SETNX_SCHEME)) {
          case "setnx-script" -> new FencedLayout(space, FencedLayout.Values.TOKENS);
          case "setnx-timestamp" -> new FencedLayout(space, FencedLayout.Values.TIMES);
          case "redis-objects" -> new BareLayout(space, BareLayout.Format.FRACTION);
          case "millis" -> new BareLayout(space, BareLayout.Format.MILLIS);
          default -> new BareLayout(space, BareLayout.Format.SECONDS);
        };
      }
      default -> {
        return settings.get(SET_MODE).equals("plain")
            ? new BareLayout(space, BareLayout.Format.TOKEN)
            : new FencedLayout(space, FencedLayout.Values.TOKENS);
      }
    }
  }

  private static List<String> uris(String text) {
    List<String> uris = Addresses.several(text);
    if (uris.size() < 3 || uris.size() > 63 || uris.stream().anyMatch(String::isEmpty)) {
      throw new IllegalArgumentException("these are " + uris.size());
    }
    return uris;
  }

  private static String listed(String text) {
    if (!BACKENDS.contains(text.strip())) {
      throw new IllegalArgumentException("not in the list");
    }
    return text.strip();
  }
}
