package dev.leasehold.guice;

import com.google.inject.Key;
import com.google.inject.Provider;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.spi.ConfiguredLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a manager opened with the injector supports the kinds of locks that settings and
 * methods need. A lazily opened manager reports a missing kind when it is first asked for it.
 */
final class KindsCheck implements Provider<KindsCheck> {
  private final List<ConfiguredLock> named;
  private final Key<LockManager> key;
  private final ManagerProvider opened;
  private final Provider<LockedTypes> methods;

  KindsCheck(
      List<ConfiguredLock> named,
      Key<LockManager> key,
      ManagerProvider opened,
      Provider<LockedTypes> methods) {
    this.named = named;
    this.key = key;
    this.opened = opened;
    this.methods = methods;
  }

  /**
   * Bound eagerly, after the manager.
   *
   * @throws LockConfigurationException listing what the manager does not support
   */
  @Override
  public KindsCheck get() {
    Optional<LockManager> manager = opened.opened();
    if (manager.isPresent()) {
      List<String> problems = new ArrayList<>();
      named.forEach(lock -> problems.addAll(refusal(lock, manager.get())));
      problems.addAll(methods.get().refused(key, manager.get()));
      if (!problems.isEmpty()) {
        throw new LockConfigurationException(String.join("\n", problems));
      }
    }
    return this;
  }

  private static List<String> refusal(ConfiguredLock lock, LockManager manager) {
    try {
      lock.of(manager);
      return List.of();
    } catch (LockConfigurationException e) {
      return List.of("lock.locks." + lock.id() + " (" + lock.origin() + "): " + e.getMessage());
    }
  }
}
