package dev.leasehold.guice;

import com.google.inject.Provider;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Opens a manager once; a failed attempt is repeated at the next use. Does not use Guice's
 * singleton scope, which is eager in production.
 */
final class ManagerProvider implements Provider<LockManager> {
  private final LockSettings settings;
  private final Provider<Optional<LeaseRenewer>> renewer;
  private final Provider<Optional<QuorumPolicy>> policy;
  private final Provider<LockManagers> managers;
  private final LockManagers.Closing closing;
  private final ReentrantLock guard = new ReentrantLock();
  private volatile @Nullable LockManager opened;

  ManagerProvider(
      LockSettings settings,
      Provider<Optional<LeaseRenewer>> renewer,
      Provider<Optional<QuorumPolicy>> policy,
      Provider<LockManagers> managers,
      LockManagers.Closing closing) {
    this.settings = settings;
    this.renewer = renewer;
    this.policy = policy;
    this.managers = managers;
    this.closing = closing;
  }

  @Override
  public LockManager get() {
    LockManager manager = opened;
    if (manager != null) {
      return manager;
    }
    guard.lock();
    try {
      manager = opened;
      if (manager == null) {
        manager = managers.get().add(open(), closing);
        opened = manager;
      }
      return manager;
    } finally {
      guard.unlock();
    }
  }

  /** The manager, if it has been requested. */
  Optional<LockManager> opened() {
    return Optional.ofNullable(opened);
  }

  private LockManager open() {
    LockManager.Opener opener = LockManager.opener(settings);
    policy.get().ifPresent(opener::quorum);
    renewer.get().ifPresent(own -> opener.engine(builder -> builder.renewer(own)));
    return opener.open();
  }
}
