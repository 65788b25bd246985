package dev.leasehold.testkit.server;

import dev.leasehold.lock.spi.Addresses;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A running server that the kit connects to, and neither starts nor stops. */
final class RemoteServer implements RedisServer {
  private static final int DEFAULT_PORT = 6379;

  private final String host;
  private final int port;
  private final List<String> credentials;

  private RemoteServer(String host, int port, List<String> credentials) {
    this.host = host;
    this.port = port;
    this.credentials = credentials;
  }

  static RemoteServer open(String address, ServerOptions options) {
    URI uri;
    try {
      uri = new URI(address);
    } catch (URISyntaxException e) { // its message quotes the address, which may contain a password
      throw wrong(address);
    }
    String host = uri.getHost();
    if (host == null || uri.getQuery() != null) {
      throw wrong(address);
    }
    if (!options.isDefault()) {
      throw new UnsupportedOperationException(
          "The server at " + uri.getHost() + " was not started by the kit and takes no options");
    }
    String user = Optional.ofNullable(uri.getUserInfo()).orElse("");
    // redis://:password@host and redis://user:password@host
    List<String> credentials =
        List.of(user.split(":", 2)).stream().filter(word -> !word.isEmpty()).toList();
    RemoteServer server =
        new RemoteServer(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), credentials);
    try {
      server.call("PING");
    } catch (RuntimeException e) {
      throw new ServerException(
          "The server at " + server.uri() + " does not answer PING: " + e.getMessage(), e);
    }
    return server;
  }

  private static ServerException wrong(String address) {
    return new ServerException(
        RedisServers.PROPERTY
            + " is \""
            + Addresses.masked(address)
            + "\"; it must be like redis://host:6379, with redis://user:password@ where one logs"
            + " in");
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String uri() {
    return "redis://" + host + ":" + port;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public ServerOptions options() {
    return ServerOptions.defaults();
  }

  @Override
  public void pause() {
    throw notOurs();
  }

  @Override
  public void resume() {
    throw notOurs();
  }

  @Override
  public void kill() {
    throw notOurs();
  }

  @Override
  public void restart(Data data) {
    throw notOurs();
  }

  private UnsupportedOperationException notOurs() {
    return new UnsupportedOperationException(
        uri() + " was not started by the kit, which neither pauses nor kills it");
  }

  @Override
  public RespConnection connect(Duration timeout) {
    RespConnection connection = RespConnection.to(host, port, timeout);
    return credentials.isEmpty() ? connection : connection.authenticated(credentials);
  }

  @Override
  public String log() {
    return "";
  }

  /** Leaves the server as it is. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return uri();
  }
}
