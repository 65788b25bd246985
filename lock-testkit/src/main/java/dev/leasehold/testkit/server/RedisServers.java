package dev.leasehold.testkit.server;

import dev.leasehold.lock.spi.Addresses;
import dev.leasehold.testkit.server.RedisServer.Capability;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Starts servers of the kind given by the system property {@code leasehold.server}:
 *
 * <ul>
 *   <li>{@code embedded} (the default): the binary in {@code
 *       com.github.codemonstur:embedded-redis}, an optional dependency that must be on the path
 *   <li>{@code path}: {@code redis-server} or {@code valkey-server} from the PATH
 *   <li>the absolute path of such a program
 *   <li>{@code testcontainers}: a container of {@code redis:7.2-alpine}; needs the optional
 *       dependency {@code org.testcontainers:testcontainers} and a container engine
 *   <li>{@code redis://host:port}: a running server, which is neither stopped nor killed; user and
 *       password may stand before the host
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class RedisServers {
  /** The system property. */
  public static final String PROPERTY = "leasehold.server";

  static final String KINDS =
      "embedded, path, the absolute path of a program, testcontainers, redis://host:port";

  private RedisServers() {}

  /** The property's value; "embedded" if it is not set. */
  public static String kind() {
    return System.getProperty(PROPERTY, "embedded");
  }

  /** Starts a server with default options. */
  public static RedisServer start() {
    return start(ServerOptions.defaults());
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @throws ServerException if it does not start; the message gives the reason and a remedy
   * @throws UnsupportedOperationException if this kind of server does not support the options
   */
  public static RedisServer start(ServerOptions options) {
    return start(kind(), options);
  }

  /** Starts a server of the given kind, ignoring the property. */
  public static RedisServer start(String kind, ServerOptions options) {
    if (kind.equals("testcontainers")) {
      return ContainerServer.start(options);
    } else if (kind.startsWith("redis://")) {
      return RemoteServer.open(kind, options);
    }
    return ProcessServer.start(binary(kind), options);
  }

  /** What servers of the property's kind support. */
  public static Set<Capability> capabilities() {
    return capabilities(kind());
  }

  /**
   * What servers of a kind support. {@link Capability#CLOCK} is not included: whether a server
   * follows a shim is only known once it runs with one.
   */
  public static Set<Capability> capabilities(String kind) {
    if (kind.equals("testcontainers")) {
      return ContainerServer.CAPABILITIES;
    } else if (kind.startsWith("redis://")) {
      return Set.of();
    }
    Set<Capability> all = EnumSet.copyOf(ProcessServer.capabilitiesOf(binary(kind)));
    all.add(Capability.TOPOLOGY);
    return Set.copyOf(all);
  }

  /** The executable of a kind of servers. */
  static Binary binary(String kind) {
    if (kind.equals("embedded")) {
      return Binary.at(EmbeddedBinary.path());
    } else if (kind.equals("path")) {
      return Binary.at(onPath());
    } else if (kind.equals("testcontainers") || kind.startsWith("redis://")) {
      throw new UnsupportedOperationException(
          "Topologies are started from a server's program, not with "
              + PROPERTY
              + "="
              + Addresses.masked(kind));
    } else if (Path.of(kind).isAbsolute()) {
      return Binary.at(Path.of(kind));
    }
    throw new ServerException(
        PROPERTY
            + "="
            + Addresses.masked(kind)
            + " is no kind of server; it must be one of: "
            + KINDS);
  }

  private static Path onPath() {
    return Programs.find(List.of("redis-server", "valkey-server"))
        .orElseThrow(
            () ->
                new ServerException(
                    PROPERTY
                        + "=path, but neither redis-server nor valkey-server is on the PATH."
                        + " Install one, or set the property to one of: "
                        + KINDS));
  }
}
