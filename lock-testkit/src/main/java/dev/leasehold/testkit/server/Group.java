package dev.leasehold.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Servers that are started and closed together. */
final class Group implements AutoCloseable {
  private static final int TRIES = 3;

  private final List<RedisServer> servers = new ArrayList<>();
  private final String kind;

  private Group(String kind) {
    this.kind = kind;
  }

  /**
   * Starts servers and combines them. A port that must be known beforehand may be taken meanwhile
   * by another process; then everything is tried again.
   */
  static <T> T form(String kind, Function<Group, T> how) {
    for (int i = 1; ; i++) {
      Group group = new Group(kind);
      try {
        return how.apply(group);
      } catch (RuntimeException e) {
        group.close();
        boolean portTaken = String.valueOf(e.getMessage()).contains("bind:");
        if (!portTaken || i == TRIES) {
          throw e;
        }
      }
    }
  }

  RedisServer start(ServerOptions options) {
    RedisServer server = ProcessServer.start(RedisServers.binary(kind), options);
    servers.add(server);
    return server;
  }

  /** Starts a server with the TLS or password settings of its primary and makes it a replica. */
  RedisServer startReplica(RedisServer primary, ServerOptions options) {
    RedisServer replica = start(following(options));
    replica.call("REPLICAOF", primary.host(), Integer.toString(primary.port()));
    return replica;
  }

  /** The options plus the password that a server needs in case it becomes a replica. */
  static ServerOptions following(ServerOptions options) {
    ServerOptions result = options;
    if (options.password().isPresent()) {
      result = result.with("--masterauth", options.password().get());
    }
    return options.tls().isPresent() ? result.with("--tls-replication", "yes") : result;
  }

  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }
}
