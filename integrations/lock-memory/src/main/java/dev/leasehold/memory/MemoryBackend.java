package dev.leasehold.memory;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The backend {@code memory}, for tests of code that opens its manager from settings. It is used
 * only where {@code lock.backend} names it: beside a real backend on a test's path, it changes
 * nothing.
 */
public final class MemoryBackend implements LockBackend {
  static final Setting<String> NAME =
      Setting.text(
          "lock.memory.name",
          "default",
          "Managers of one name share their locks, in one JVM: MemoryLocks.shared(name).");

  /** For {@link java.util.ServiceLoader}. */
  public MemoryBackend() {}

  @Override
  public String id() {
    return "memory";
  }

  @Override
  public boolean isStandIn() {
    return true;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(NAME);
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    return MemoryLocks.shared(settings.get(NAME)).store();
  }

  @Override
  public LockManager manager(LockSettings settings, UnaryOperator<LockManager.Builder> engine) {
    return MemoryLocks.shared(settings.get(NAME)).manager(engine);
  }
}
