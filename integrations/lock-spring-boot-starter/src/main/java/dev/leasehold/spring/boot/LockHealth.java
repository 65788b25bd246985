package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether locks are available: inspects the holder of an unused name, which is one round trip and
 * changes nothing. An answer that the login may not read this name counts as available.
 * Thread-safe.
 */
final class LockHealth {
  private static final String NAME = "leasehold:health";

  private final LockManager manager;
  private final NodesDown nodes;

  LockHealth(LockManager manager, NodesDown nodes) {
    this.manager = manager;
    this.nodes = nodes;
  }

  /**
   * Checks the store; blocks for at most the manager's command time-out.
   *
   * @return the details to show
   * @throws LockException if the store is unreachable or the manager is closed
   */
  Map<String, Object> check() {
    try {
      manager.lock(NAME).inspect();
    } catch (LockStoreException e) {
      // The store answers, and may still allow the application's own names.
      if (e.kind() != LockStoreException.Kind.REFUSED) {
        throw e;
      }
    }
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("guarantees", manager.guarantees().stream().map(Enum::name).sorted().toList());
    if (!nodes.now().isEmpty()) {
      details.put("nodesDown", nodes.now());
    }
    return details;
  }
}
