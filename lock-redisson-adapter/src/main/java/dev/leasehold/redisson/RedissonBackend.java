package dev.leasehold.redisson;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.NodeBackend;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The backend {@code redisson}, made from settings with a client of its own. */
public final class RedissonBackend implements NodeBackend {

  /** For {@link java.util.ServiceLoader}. */
  public RedissonBackend() {}

  @Override
  public String id() {
    return "redisson";
  }

  @Override
  public List<Setting<?>> settings() {
    return RedissonSettings.all();
  }

  @Override
  public void check(LockSettings settings) {
    RedissonLocks.from(settings);
  }

  @Override
  public void checkNode(LockSettings settings) {
    RedissonLocks.fromNode(settings);
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    return RedissonLocks.from(settings).open();
  }

  @Override
  public IdentifiedStore openNode(LockSettings settings, Duration longestLease) {
    return RedissonLocks.node(settings, longestLease);
  }

  @Override
  public LockManager manager(LockSettings settings, UnaryOperator<LockManager.Builder> engine) {
    LeaseStore store = open(settings);
    return LockBackend.engineOn(
        store,
        builder ->
            switch (settings.get(RedissonSettings.RENEWAL)) {
              case LEASEHOLD -> engine.apply(builder);
              case WATCHDOG -> engine.apply(builder.renewer(RedissonLocks.watchdog(store)));
            });
  }
}
