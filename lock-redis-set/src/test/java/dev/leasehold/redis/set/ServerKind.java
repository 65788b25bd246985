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
  };

  abstract Optional<String> program();

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
