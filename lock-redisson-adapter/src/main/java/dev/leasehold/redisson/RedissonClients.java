package dev.leasehold.redisson;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.Causes;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.PemStores;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.EqualJitterDelay;
import org.redisson.config.ReadMode;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Creates Redisson clients from settings. */
final class RedissonClients {
  private static final String NO_SOCKETS = "Redisson has no Unix sockets: redis-set has";

  /** Settings of the locks, not of the connection. */
  private static final Set<Setting<?>> NOT_THE_CLIENTS =
      Set.of(RedisSettings.ALLOW_EVICTION, RedisSettings.KEY_PREFIX, RedisSettings.FAIR);

  /**
   * Few are enough: in pools below ten, a connection of Redisson's carries many commands at a time.
   */
  private static final int CONNECTIONS = 4;

  /** The most below ten: a script that waits for replicas occupies its connection. */
  private static final int CONNECTIONS_TO_PRIMARY = 9;

  private static final int THREADS = 2;
  private static final int TRIES = 2;
  private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private RedissonClients() {}

  /**
   * How to make a client.
   *
   * @param destination where it connects to, for messages
   * @param endpoint where Redis is, unless a file configures the client
   */
  record Plan(Config config, Destination destination, Optional<RedisEndpoint> endpoint) {

    /** Makes a client and connects it. Blocks. */
    Client connect() {
      try {
        RedissonClient client = Redisson.create(config);
        return new Client(client, () -> end(client));
      } catch (RuntimeException e) {
        throw RedissonFailures.connecting(e, destination);
      }
    }
  }

  /** Reads the settings, or the file that they name. */
  static Plan plan(LockSettings settings) {
    if (settings.find(RedissonSettings.CONFIG).isPresent()) {
      Config config = yaml(settings);
      Destination file =
          new Destination(
              "the address in " + RedisSettings.named(settings, RedissonSettings.CONFIG),
              Encryption.NONE,
              settings.get(RedisSettings.CONNECT_TIMEOUT));
      return new Plan(config, file, Optional.empty());
    }
    RedisEndpoint endpoint = RedisEndpoint.of(settings, NO_SOCKETS);
    return new Plan(
        made(endpoint, settings), endpoint.destination(settings), Optional.of(endpoint));
  }

  private static Config yaml(LockSettings settings) {
    String file = RedisSettings.named(settings, RedissonSettings.CONFIG);
    Problems problems = new Problems();
    for (var setting : RedisSettings.all()) {
      if (!NOT_THE_CLIENTS.contains(setting) && settings.text(setting.key()).isPresent()) {
        problems.add(
            setting.key()
                + " ("
                + settings.origin(setting.key())
                + ") is set, but the client is made by "
                + file
                + ": write it there");
      }
    }
    Optional<Config> config = problems.read(() -> parsed(settings, file));
    problems.throwIfAny();
    return config.orElseThrow();
  }

  private static Config parsed(LockSettings settings, String named) {
    File file = RedisSettings.file(settings, RedissonSettings.CONFIG).orElseThrow();
    try {
      return Config.fromYAML(file);
    } catch (IOException | RuntimeException e) {
      // Neither with its message nor with it as the cause: it quotes the file, which may have a
      // password.
      throw new LockConfigurationException(named + " can't be read: " + place(e));
    }
  }

  private static String place(Exception failure) {
    MarkedYAMLException marked = Causes.find(failure, MarkedYAMLException.class);
    Mark mark = marked == null ? null : marked.getProblemMark();
    return mark == null
        ? "Redisson rejects its content (" + failure.getClass().getSimpleName() + ")"
        : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + " is wrong";
  }

  private static Config made(RedisEndpoint endpoint, LockSettings settings) {
    Config config = new Config().setThreads(THREADS).setNettyThreads(THREADS);
    endpoint
        .login()
        .ifPresent(
            login -> {
              login.user().ifPresent(config::setUsername);
              config.setPassword(login.password());
            });
    if (endpoint.encryption() == Encryption.TLS) {
      tls(config, settings);
    }
    String scheme = endpoint.encryption() == Encryption.TLS ? "rediss://" : "redis://";
    String[] addresses =
        endpoint.hosts().stream().map(host -> scheme + host).toArray(String[]::new);
    if (settings.get(RedisSettings.CLUSTER)) {
      severalServers(config.useClusterServers().addNodeAddress(addresses), settings);
    } else if (endpoint.primary().isPresent()) {
      severalServers(
          config
              .useSentinelServers()
              .addSentinelAddress(addresses)
              .setMasterName(endpoint.primary().get())
              .setDatabase(endpoint.database())
              .setCheckSentinelsList(false),
          settings);
    } else {
      common(
          config
              .useSingleServer()
              .setAddress(addresses[0])
              .setDatabase(endpoint.database())
              .setConnectionMinimumIdleSize(1)
              .setConnectionPoolSize(CONNECTIONS)
              .setSubscriptionConnectionMinimumIdleSize(1),
          settings);
    }
    return config;
  }

  private static void severalServers(
      BaseMasterSlaveServersConfig<?> servers, LockSettings settings) {
    servers
        .setReadMode(ReadMode.MASTER)
        .setSubscriptionMode(SubscriptionMode.MASTER)
        .setMasterConnectionMinimumIdleSize(1)
        .setMasterConnectionPoolSize(CONNECTIONS_TO_PRIMARY)
        .setSubscriptionConnectionMinimumIdleSize(1);
    common(servers, settings);
  }

  private static void common(BaseConfig<?> servers, LockSettings settings) {
    servers.setConnectTimeout((int) settings.get(RedisSettings.CONNECT_TIMEOUT).toMillis());
    servers.setReconnectionDelay(new EqualJitterDelay(LEAST_PAUSE, LONGEST_PAUSE));
    servers.setRetryAttempts(TRIES); // for connecting and subscribing: scripts are sent once
    servers.setRetryDelay(new EqualJitterDelay(LEAST_PAUSE, LONGEST_PAUSE));
    RedisSettings.clientName(settings).ifPresent(servers::setClientName);
  }

  private static void tls(Config config, LockSettings settings) {
    config.setSslVerificationMode(
        switch (settings.get(RedisSettings.TLS_VERIFY)) {
          case "full" -> SslVerificationMode.STRICT;
          case "ca" -> SslVerificationMode.CA_ONLY;
          default -> SslVerificationMode.NONE;
        });
    PemStores.trusted(settings)
        .ifPresent(store -> config.setSslTrustManagerFactory(PemStores.trusting(store)));
    PemStores.identity(settings)
        .ifPresent(store -> config.setSslKeyManagerFactory(PemStores.identifying(store)));
  }

  /**
   * Shuts down a client of our own. Redisson waits for its threads and swallows an interrupt. So
   * another thread calls it, and this one waits for that, uninterruptibly.
   */
  private static void end(RedissonClient client) {
    CompletableFuture.runAsync(
            () -> client.shutdown(0, 2, TimeUnit.SECONDS),
            task -> new Thread(task, "leasehold-redisson-end").start())
        .join();
  }
}
