package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.NodeBackend;
import java.time.Duration;
import java.util.List;

/** The backend {@code redis-setnx}, made from settings with a client of its own. */
public final class RedisSetnxBackend implements NodeBackend {

  /** For {@link java.util.ServiceLoader}. */
  public RedisSetnxBackend() {}

  @Override
  public String id() {
    return "redis-setnx";
  }

  @Override
  public List<Setting<?>> settings() {
    return SetnxSettings.all();
  }

  @Override
  public void check(LockSettings settings) {
    RedisSetnxLocks.from(settings);
  }

  /** With the script scheme only: the others' formats have no place for a node's marker. */
  @Override
  public boolean isGuarded(LockSettings settings) {
    return settings.get(SetnxSettings.SCHEME) == SetnxScheme.SETNX_SCRIPT;
  }

  @Override
  public void checkNode(LockSettings settings) {
    RedisSetnxLocks.fromNode(settings);
  }

  @Override
  public IdentifiedStore openNode(LockSettings settings, Duration longestLease) {
    return RedisSetnxLocks.node(settings, longestLease);
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    return RedisSetnxLocks.from(settings).open();
  }
}
