package dev.leasehold.examples.messages;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every backend, in each mode that has its own way to connect. */
enum BackendModes {
  REDIS_SET("redis-set"),
  REDIS_SETNX("redis-setnx"),
  REDISSON("redisson"),
  REDLOCK("redlock"),
  REDLOCK_OVER_REDISSON("redlock", "lock.redlock.node-backend", "redisson");

  private final String backend;
  private final List<String> more;

  BackendModes(String backend, String... more) {
    this.backend = backend;
    this.more = List.of(more);
  }

  boolean isQuorum() {
    return backend.equals("redlock");
  }

  /** Settings with this address or, for a quorum, with these. */
  Map<String, String> settings(List<String> uris) {
    Map<String, String> settings = new HashMap<>();
    settings.put("lock.backend", backend);
    settings.put(
        isQuorum() ? "lock.redlock.nodes" : "lock.redis.uri",
        isQuorum() ? String.join(",", uris) : uris.get(0));
    for (int i = 0; i < more.size(); i += 2) {
      settings.put(more.get(i), more.get(i + 1));
    }
    return settings;
  }
}
