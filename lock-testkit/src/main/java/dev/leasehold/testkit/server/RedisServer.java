package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A running server. Thread-safe. Closing it ends what was started, and removes its files. */
public interface RedisServer extends AutoCloseable {

  /** What can be done to a server, beyond talking to it. */
  enum Capability {
    /** {@link #pause()} and {@link #resume()}. */
    PAUSE,
    /** {@link #kill()} and {@link #restart}. */
    KILL
  }

  /** What a restart finds. */
  enum Data {
    /** What its append-only file has. */
    KEEP,
    /** Nothing. */
    LOSE
  }

  /** Where it listens. */
  String host();

  /** Where it listens. */
  int port();

  /** {@code redis://host:port}. */
  default String uri() {
    return "redis://" + host() + ":" + port();
  }

  /** What can be done to it. */
  Set<Capability> capabilities();

  /** Its kind and version, such as "Redis 7.0.15" or "Valkey 9.1.0". */
  String version();

  /** Stops it where it is ({@code kill -STOP}): connections stay, nothing answers. */
  void pause();

  /** Lets a paused one go on. */
  void resume();

  /** Ends it at once ({@code kill -9}). */
  void kill();

  /** Starts a killed one again at the same port, or kills and starts a running one. */
  void restart(Data data);

  /** A new connection to look into it. */
  default RespConnection connect() {
    return RespConnection.to(host(), port(), Duration.ofSeconds(5));
  }

  /** One command over a connection of its own; see {@link RespConnection#call}. */
  default Optional<Object> call(String... words) {
    try (RespConnection connection = connect()) {
      return connection.call(words);
    }
  }

  @Override
  void close();
}
