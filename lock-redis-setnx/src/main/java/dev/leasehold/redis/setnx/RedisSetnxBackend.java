package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.util.List;

/** The backend {@code redis-setnx}, made from settings with a client of its own. */
public final class RedisSetnxBackend implements LockBackend {

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

  @Override
  public LeaseStore open(LockSettings settings) {
    return RedisSetnxLocks.from(settings).open();
  }
}
