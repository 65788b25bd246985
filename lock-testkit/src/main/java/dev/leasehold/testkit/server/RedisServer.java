package dev.leasehold.testkit.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A real server, Redis or Valkey, and the operations on it. {@link RedisServers} starts them.
 *
 * <p>A method whose {@link Capability} is missing throws {@link UnsupportedOperationException} with
 * a message that names the kind of server. All methods block until they are done. Thread-safe,
 * except for calls that contradict each other.
 */
public interface RedisServer extends StoreServer {

  /**
   * What a server, or a kind of server, supports. A test that needs a missing one is reported as
   * <em>not run</em>.
   */
  enum Capability {
    /** {@link #pause()} and {@link #resume()}. */
    PAUSE,
    /** {@link #kill()}. */
    KILL,
    /** {@link #restart(Data)}. */
    RESTART,
    /** {@link ServerOptions} are supported; a server that the kit only connects to has its own. */
    OPTIONS,
    /** {@link ServerOptions#withTls} is supported. */
    TLS,
    /** {@link ServerOptions#withUnixSocket} is supported. */
    UNIX_SOCKET,
    /** The server's wall clock follows the {@link ClockShim} of its options. */
    CLOCK,
    /**
     * {@link RedisReplication}, {@link SentinelCluster} and {@link RedisCluster} can be started.
     */
    TOPOLOGY
  }

  /** The data of a restarted server. */
  enum Data {
    /**
     * All acknowledged writes, even after {@code kill -9}. Needs {@link
     * ServerOptions#withAppendOnlyFile()}.
     */
    KEEP,
    /** Nothing. */
    LOSE
  }

  /** The host that clients connect to. */
  String host();

  /** The port that clients connect to. It stays the same over restarts. */
  int port();

  /**
   * {@code redis://host:port}, or {@code rediss://host:port} for a server with TLS. It carries no
   * password.
   */
  @Override
  String uri();

  /** What this server supports. */
  Set<Capability> capabilities();

  /** The options it was started with. */
  ServerOptions options();

  /** The id of the server's process on this machine, if the kit may signal it. */
  default OptionalLong pid() {
    return OptionalLong.empty();
  }

  /** The path of its Unix socket, if the options asked for one. */
  default Optional<Path> unixSocket() {
    return Optional.empty();
  }

  /** {@link Capability#PAUSE} */
  @Override
  default boolean canPause() {
    return capabilities().contains(Capability.PAUSE);
  }

  /** {@link Capability#KILL} and {@link Capability#RESTART} */
  @Override
  default boolean canRestart() {
    return capabilities().containsAll(Set.of(Capability.KILL, Capability.RESTART));
  }

  /** {@inheritDoc} {@link Capability#PAUSE} */
  @Override
  void pause();

  /** {@inheritDoc} {@link Capability#PAUSE} */
  @Override
  void resume();

  /** {@inheritDoc} {@link Capability#KILL} */
  @Override
  void kill();

  /**
   * Starts the server again on the same port, after killing it if it still runs, and returns when
   * it answers. {@link Capability#RESTART}
   *
   * @throws IllegalStateException for {@link Data#KEEP} if the server was not started with {@link
   *     ServerOptions#withAppendOnlyFile()}
   */
  void restart(Data data);

  /** Restarts it without its data. {@link Capability#RESTART} */
  @Override
  default void restart() {
    restart(Data.LOSE);
  }

  /** A new connection, authenticated with the options' password, if any. */
  default RespConnection connect() {
    return connect(Duration.ofSeconds(10));
  }

  /** A new connection with the given time-out for connecting and for each reply. */
  RespConnection connect(Duration timeout);

  /**
   * Sends one command on a new connection and returns the reply, as {@link RespConnection#call}
   * does.
   */
  default Optional<Object> call(String... words) {
    try (RespConnection connection = connect()) {
      return connection.call(words);
    }
  }

  /** Makes it a replica of another server of the kit, by {@code REPLICAOF}. */
  default void replicaOf(RedisServer primary) {
    call("REPLICAOF", primary.host(), Integer.toString(primary.port()));
  }

  /** The server's product and version: {@code Redis 7.0.15}, {@code Valkey 9.1.2}. */
  @Override
  default String version() {
    try (RespConnection connection = connect()) {
      String info = connection.text("INFO", "server");
      // Valkey also reports the Redis version that it is compatible with.
      return Info.field(info, "valkey_version")
          .map(version -> "Valkey " + version)
          .orElseGet(() -> "Redis " + Info.field(info, "redis_version").orElse("unknown"));
    }
  }

  /** Identifies this run of the server: {@code run_id}, which changes at each start. */
  default String runId() {
    try (RespConnection connection = connect()) {
      return Info.field(connection.text("INFO", "server"), "run_id").orElseThrow();
    }
  }

  /**
   * Identifies its data for replication; changes with a promotion.
   *
   * @throws ServerException if it does not answer
   */
  default String replicationId() {
    try (RespConnection connection = connect()) {
      return Info.field(connection.text("INFO", "replication"), "master_replid").orElseThrow();
    }
  }

  /** The server's log since its first start, as far as the kit can read it. */
  String log();

  /** Kills the process and removes its files. Idempotent. */
  @Override
  void close();
}
