package dev.leasehold.redis.set;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.NodeBackend;
import java.time.Duration;
import java.util.List;

/** The backend {@code redis-set}, made from settings with a client of its own. */
public final class RedisSetBackend implements NodeBackend {

  /** For {@link java.util.ServiceLoader}. */
  public RedisSetBackend() {}

  @Override
  public String id() {
    return "redis-set";
  }

  @Override
  public List<Setting<?>> settings() {
    return RedisSetSettings.all();
  }

  @Override
  public void check(LockSettings settings) {
    RedisSetLocks.from(settings);
  }

  @Override
  public void checkNode(LockSettings settings) {
    RedisSetLocks.fromNode(settings);
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    return RedisSetLocks.from(settings).open();
  }

  @Override
  public IdentifiedStore openNode(LockSettings settings, Duration longestLease) {
    return RedisSetLocks.node(settings, longestLease);
  }
}
