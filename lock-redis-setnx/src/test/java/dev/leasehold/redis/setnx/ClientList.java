package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.server.RedisServer;
import java.util.stream.Collectors;

/** What a server says of its connections. */
final class ClientList {
  private ClientList() {}

  /** Those of clients whose name begins so, a line each. */
  static String named(RedisServer server, String name) {
    return String.valueOf(server.call("CLIENT", "LIST").orElse(""))
        .lines()
        .filter(line -> line.contains("name=" + name))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }
}
