package dev.leasehold.testkit.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One real server, Redis or Valkey, and what can be done to it. {@link RedisServers} starts them.
 *
 * <p>A method whose {@link Capability} is missing throws {@link UnsupportedOperationException} with
 * a message that names the kind of server. Everything here blocks until it is done. Thread-safe,
 * but for calls that contradict each other.
 */
public interface RedisServer extends StoreServer {

  /**
   * What can be done to a server, or with a kind of server. A test that needs one that is missing
   * says <em>not run</em>.
   */
  enum Capability {
    /** {@link #pause()} and {@link #resume()}. */
    PAUSE,
    /** {@link #kill()}. */
    KILL,
    /** {@link #restart(Data)}. */
    RESTART,
    /** {@link ServerOptions} are taken; a server that the kit only connects to has its own. */
    OPTIONS,
    /** The server keeps to {@link ServerOptions#withTls}. */
    TLS,
    /** The server keeps to {@link ServerOptions#withUnixSocket}. */
    UNIX_SOCKET,
    /** The server's wall clock follows the {@link ClockShim} of its options. */
    CLOCK,
    /**
     * {@link RedisReplication}, {@link SentinelCluster} and {@link RedisCluster} can be started.
     */
    TOPOLOGY
  }

  /** What a restarted server finds of what it held before. */
  enum Data {
    /**
     * Everything that it had answered for, even after {@code kill -9}. Needs {@link
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

  /** What can be done to this server. */
  Set<Capability> capabilities();

  /** The options it was started with. */
  ServerOptions options();

  /** The server's process on this machine, while it has one that the kit may signal. */
  OptionalLong pid();

  /** The path of its Unix socket, where the options asked for one. */
  Optional<Path> unixSocket();

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

  /** Starts it again without its data. {@link Capability#RESTART} */
  @Override
  default void restart() {
    restart(Data.LOSE);
  }

  /** A new connection, authenticated with the options' password where they have one. */
  RespConnection connect();

  /** A new connection with a time-out of its own for connecting and for each reply. */
  RespConnection connect(Duration timeout);

  /**
   * Sends one command on a connection of its own and returns the reply, as {@link
   * RespConnection#call} does.
   */
  default Optional<Object> call(String... words) {
    try (RespConnection connection = connect()) {
      return connection.call(words);
    }
  }

  /** Makes it a replica of another one of the kit's, by {@code REPLICAOF}. */
  default void replicaOf(RedisServer primary) {
    call("REPLICAOF", primary.host(), Integer.toString(primary.port()));
  }

  /** What the server says it is: {@code Redis 7.0.15}, {@code Valkey 9.1.2}. */
  @Override
  default String version() {
    try (RespConnection connection = connect()) {
      String info = connection.text("INFO", "server");
      // Valkey also reports the version of Redis that it is compatible with.
      return Info.field(info, "valkey_version")
          .map(version -> "Valkey " + version)
          .orElseGet(() -> "Redis " + Info.field(info, "redis_version").orElse("unknown"));
    }
  }

  /** Which run of it this is: {@code run_id}, another one after each start. */
  default String runId() {
    try (RespConnection connection = connect()) {
      return Info.field(connection.text("INFO", "server"), "run_id").orElseThrow();
    }
  }

  /**
   * Of its data as others would replicate it: another one after a promotion.
   *
   * @throws ServerException if it does not answer
   */
  default String replicationId() {
    try (RespConnection connection = connect()) {
      return Info.field(connection.text("INFO", "replication"), "master_replid").orElseThrow();
    }
  }

  /** What the server has written to its log since it was first started, as far as we can see. */
  String log();

  /** Kills what was started and removes its files. Closing again does nothing. */
  @Override
  void close();
}
