package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The servers that differ in what the store makes use of. A test says so where one is missing. */
enum ServerKind {
  /** The embedded binary, 6.2 on Linux. */
  EMBEDDED {
    @Override
    Optional<String> program() {
      return Optional.of("embedded");
    }
  },

  /** {@code redis-server} on the PATH. */
  REDIS {
    @Override
    Optional<String> program() {
      return onPath("redis-server");
    }
  },

  /**
   * A Redis that compares and deletes by itself, 8.4 or later: {@code redis-server-8} on the PATH,
   * or what the system property {@code leasehold.redis8} names.
   */
  REDIS_8 {
    @Override
    Optional<String> program() {
      return Optional.ofNullable(System.getProperty("leasehold.redis8"))
          .or(() -> onPath("redis-server-8"));
    }

    @Override
    Optional<String> compareAndDelete() {
      return Optional.of("delex");
    }
  },

  /**
   * {@code valkey-server} on the PATH, or what the system property {@code leasehold.valkey} names.
   */
  VALKEY {
    @Override
    Optional<String> program() {
      return Optional.ofNullable(System.getProperty("leasehold.valkey"))
          .or(() -> onPath("valkey-server"));
    }

    @Override
    Optional<String> compareAndDelete() {
      return Optional.of("delifeq");
    }
  };

  abstract Optional<String> program();

  /** The server's own compare-and-delete command, if it has one. */
  Optional<String> compareAndDelete() {
    return Optional.empty();
  }

  /** Whether pub/sub in a cluster is sharded, which it is from Redis 7 on. */
  boolean hasShardedPubSub() {
    return this != EMBEDDED;
  }

  /** Starts one, or ends the test as not run. */
  TestServer start(String... arguments) {
    return TestServer.start(required(), arguments);
  }

  String required() {
    Optional<String> program = program();
    assumeTrue(program.isPresent(), () -> "not run: there is no " + this + " server here");
    return program.orElseThrow();
  }

  private static Optional<String> onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }
}
