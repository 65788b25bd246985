package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether locks can be had: asks the store who holds a name that nobody locks, which is one round
 * trip and changes nothing. That the login may not read this name is an answer, too. Thread-safe.
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
   * Asks; blocks for at most the manager's command time-out.
   *
   * @return what there is to tell
   * @throws LockException if the store can't be reached or the manager is closed
   */
  Map<String, Object> check() {
    try {
      manager.lock(NAME).inspect();
    } catch (LockStoreException e) {
      // It answers, and may well give the names that the application is allowed.
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
