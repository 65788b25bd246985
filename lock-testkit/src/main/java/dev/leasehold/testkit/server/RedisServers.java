package dev.leasehold.testkit.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Starts servers. Which, says the system property {@code leasehold.server}:
 *
 * <ul>
 *   <li>{@code embedded} (the default): the program in {@code
 *       com.github.codemonstur:embedded-redis}, which must be on the path
 *   <li>{@code path}: {@code redis-server} or {@code valkey-server} from the PATH
 *   <li>the path of a program
 *   <li>{@code testcontainers}: a container of {@code redis:7.2-alpine}; needs {@code
 *       org.testcontainers:testcontainers} on the class path and a container engine
 *   <li>{@code redis://host:port}: a server that runs already; it is never stopped
 * </ul>
 */
public final class RedisServers {
  /** The system property. */
  public static final String PROPERTY = "leasehold.server";

  private static final int DEFAULT_PORT = 6379;

  private RedisServers() {}

  /** What the property says, "embedded" if it says nothing. */
  public static String kind() {
    return System.getProperty(PROPERTY, "embedded");
  }

  /** Starts a server with defaults. */
  public static RedisServer start() {
    return start(ServerOptions.defaults());
  }

  /**
   * Starts a server.
   *
   * @throws IllegalStateException if it does not start; the message says why and what to do
   */
  public static RedisServer start(ServerOptions options) {
    return start(kind(), options);
  }

  /** Starts a server of a kind, whatever the property says. */
  public static RedisServer start(String kind, ServerOptions options) {
    if (kind.startsWith("redis://")) {
      URI uri = URI.create(kind);
      return new RemoteServer(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    }
    return switch (kind) {
      case "embedded" -> LocalServer.start(Executables.embedded(), options);
      case "path" -> LocalServer.start(Executables.onPath(), options);
      case "testcontainers" -> ContainerServer.start(options);
      default -> LocalServer.start(program(kind), options);
    };
  }

  private static Path program(String kind) {
    Path program = Path.of(kind);
    if (!Files.isExecutable(program)) {
      throw new IllegalStateException(
          PROPERTY
              + "="
              + kind
              + " is neither embedded, path, testcontainers, a redis:// URL nor a program");
    }
    return program;
  }
}
