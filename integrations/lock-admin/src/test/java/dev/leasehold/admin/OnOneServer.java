package dev.leasehold.admin;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One real server, and managers of several processes on it. */
abstract class OnOneServer extends Opened {
  static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.call("FLUSHALL");
  }

  static LockSettings settings(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("lock.backend", "redis-set");
    all.put("lock.redis.uri", server.uri());
    all.put("lock.close-grace", "0s");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return LockSettings.of(all);
  }

  /** A manager of a process with this label. */
  LockManager process(String label, String... more) {
    return process(label, settings(more));
  }

  LockAdmin admin(String... more) {
    return admin(settings(more));
  }
}
