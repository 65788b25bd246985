package dev.leasehold.testkit.rules;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Check;

/** Whether kinds of one name are strangers: on another client's keys they may not be. */
final class NameSpaces {
  private NameSpaces() {}

  /**
   * Whether a manager that was asked for a name as another kind gives a lock of it too. If not, it
   * must say why.
   */
  static boolean canBeLockToo(LockManager manager, String name) {
    try {
      manager.lock(name);
      return true;
    } catch (LockConfigurationException refused) {
      String words = String.valueOf(refused.getMessage());
      Check.that(words.contains(name), "the refusal tells the name: " + words);
      return false;
    }
  }
}
