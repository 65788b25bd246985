package dev.leasehold.admin;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One real server, and managers of several processes on it. */
abstract class OnOneServer {
  static RedisServer server;
  final Deque<AutoCloseable> opened = new ArrayDeque<>();

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

  @AfterEach
  void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
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

  LockManager process(String label, LockSettings settings) {
    Map<String, String> all = new HashMap<>();
    settings.keys().forEach(key -> all.put(key, settings.text(key).orElseThrow()));
    all.put("lock.label", label);
    LockManager manager = LockManager.open(LockSettings.of(all));
    opened.push(manager);
    return manager;
  }

  LockAdmin admin(String... more) {
    return admin(settings(more));
  }

  LockAdmin admin(LockSettings settings) {
    LockAdmin admin = LockAdmin.open(settings);
    opened.push(admin);
    return admin;
  }

  static LockDetails only(List<LockDetails> shown) {
    if (shown.size() != 1) {
      throw new AssertionError("expected one kind: " + shown);
    }
    return shown.get(0);
  }

  static ListedHold hold(LockAdmin admin, String name) {
    LockDetails details = only(admin.show(name));
    if (details.entry().holds().size() != 1) {
      throw new AssertionError("expected one hold: " + details);
    }
    return details.entry().holds().get(0);
  }
}
