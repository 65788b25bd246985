package dev.leasehold.testkit.rules;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Check;

/**
 * Whether locks of different kinds with one name are independent; on another client's key format
 * they may not be.
 */
final class NameSpaces {
  private NameSpaces() {}

  /**
   * Whether a manager on which a name was used as another kind grants a lock of that name too. If
   * it refuses, its message must contain the name.
   */
  static boolean canBeLockToo(LockManager manager, String name) {
    try {
      manager.lock(name);
      return true;
    } catch (LockConfigurationException refused) {
      String words = String.valueOf(refused.getMessage());
      Check.that(words.contains(name), "the refusal names the lock: " + words);
      return false;
    }
  }
}
