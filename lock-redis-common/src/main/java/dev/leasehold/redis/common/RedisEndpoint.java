package dev.leasehold.redis.common;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The server's address and login from the settings. The only place where {@code lock.redis.uri} is
 * read, whatever the client. Immutable.
 *
 * @param hosts one server, the seeds of a cluster, or the Sentinels; none with a socket
 * @param primary the name by which Sentinels know the primary, if they are used
 * @param socket path of a Unix socket, instead of hosts
 * @param encryption TLS or none
 * @param login password, and user if one is given
 * @param database 0 by default
 */
public record RedisEndpoint(
    List<Host> hosts,
    Optional<String> primary,
    Optional<String> socket,
    Encryption encryption,
    Optional<Login> login,
    int database) {

  /**
   * A server.
   *
   * @param name its name or address; IPv6 without brackets
   * @param port its port
   */
  public record Host(String name, int port) {
    @Override
    public String toString() {
      return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
    }
  }

  /**
   * Credentials. {@code toString} returns the user alone.
   *
   * @param user empty for the default user
   * @param password the password
   */
  public record Login(Optional<String> user, String password) {
    @Override
    public String toString() {
      return user.orElse("default");
    }
  }

  /**
   * Reads the settings.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if they are wrong, naming the key
   */
  public static RedisEndpoint of(LockSettings settings) {
    RedisEndpoint uri;
    try {
      uri = RedisUri.parse(settings.get(RedisSettings.URI));
    } catch (IllegalArgumentException e) {
      throw RedisSettings.wrongUri(settings, String.valueOf(e.getMessage()));
    }
    boolean cluster = settings.get(RedisSettings.CLUSTER);
    if (uri.hosts().size() > 1 && uri.primary().isEmpty() && !cluster) {
      throw RedisSettings.wrongUri(
          settings, "several hosts need " + RedisSettings.CLUSTER.key() + " = true");
    }
    if (uri.primary().isPresent() && cluster) {
      throw RedisSettings.wrongUri(
          settings, RedisSettings.CLUSTER.key() + " = true, but a cluster has no Sentinels");
    }
    if (uri.socket().isPresent() && cluster) {
      throw RedisSettings.wrongUri(
          settings, RedisSettings.CLUSTER.key() + " = true, but a cluster is not at a socket");
    }
    int database = settings.find(RedisSettings.DATABASE).orElse(uri.database);
    RedisSettings.check(settings, uri.encryption, database);
    return new RedisEndpoint(
        uri.hosts, uri.primary, uri.socket, uri.encryption, uri.login(settings), database);
  }

  /**
   * Reads the settings for a client without support of Unix sockets.
   *
   * @param noSockets why a socket is refused, for the message
   * @throws dev.leasehold.lock.LockConfigurationException as {@link #of(LockSettings)}
   */
  public static RedisEndpoint of(LockSettings settings, String noSockets) {
    RedisEndpoint endpoint = of(settings);
    if (endpoint.socket().isPresent()) {
      throw RedisSettings.wrongUri(settings, noSockets);
    }
    return endpoint;
  }

  /** A password from its own setting is combined with the URI's user, unless a user is set, too. */
  private Optional<Login> login(LockSettings settings) {
    return settings
        .find(RedisSettings.PASSWORD)
        .map(
            password ->
                new Login(
                    settings.find(RedisSettings.USERNAME).or(() -> login.flatMap(Login::user)),
                    password))
        .or(() -> login);
  }

  /** The server and the connect time-out. */
  public Destination destination(LockSettings settings) {
    return new Destination(address(), encryption, settings.get(RedisSettings.CONNECT_TIMEOUT));
  }

  /** The address or addresses as they were written, for messages; without user and password. */
  public String address() {
    String all = hosts.stream().map(Host::toString).collect(Collectors.joining(", "));
    return primary
        .map(name -> name + " (Sentinels " + all + ")")
        .or(() -> socket)
        .orElse(hosts.size() == 1 ? all : "[" + all + "]");
  }
}
