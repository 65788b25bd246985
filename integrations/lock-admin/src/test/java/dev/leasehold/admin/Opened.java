package dev.leasehold.admin;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Managers of several processes, and admins, which are closed after each test. */
abstract class Opened {
  final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  LockManager process(String label, LockSettings settings) {
    Map<String, String> all = new HashMap<>();
    settings.keys().forEach(key -> all.put(key, settings.text(key).orElseThrow()));
    all.put("lock.label", label);
    LockManager manager = LockManager.open(LockSettings.of(all));
    opened.push(manager);
    return manager;
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
