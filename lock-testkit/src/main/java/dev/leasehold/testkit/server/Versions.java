package dev.leasehold.testkit.server;

/** Kind and version of a server, from its INFO. */
final class Versions {
  private Versions() {}

  static String of(RedisServer server) {
    String info = server.call("INFO", "server").map(Object::toString).orElse("");
    String valkey = field(info, "valkey_version:");
    return valkey.isEmpty() ? "Redis " + field(info, "redis_version:") : "Valkey " + valkey;
  }

  private static String field(String info, String key) {
    return info.lines()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).strip())
        .findFirst()
        .orElse("");
  }
}
