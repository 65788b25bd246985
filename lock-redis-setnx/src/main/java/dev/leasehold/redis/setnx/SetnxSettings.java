package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.util.List;

/** The backend's settings besides {@link RedisSettings}. */
final class SetnxSettings {
  static final int DEFAULT_CONNECTIONS = 64;
  static final int MOST_CONNECTIONS = 10_000;

  static final Setting<SetnxScheme> SCHEME =
      RedisSettings.choice(
          "lock.redis-setnx.scheme",
          SetnxScheme.SETNX_SCRIPT,
          "How locks are kept; the last four are formats of existing clients.");
  static final Setting<SetnxClock> CLOCK =
      RedisSettings.choice(
          "lock.redis-setnx.clock",
          SetnxClock.SERVER,
          "Whose clock decides in the schemes that store a time.");
  static final Setting<Integer> CONNECTIONS =
      Setting.integer(
          "lock.redis-setnx.connections",
          DEFAULT_CONNECTIONS,
          2,
          MOST_CONNECTIONS,
          "Maximum number of connections to a node: one for each call, and one to listen for wake-ups.");

  private SetnxSettings() {}

  static List<Setting<?>> all() {
    return RedisSettings.and(SCHEME, CLOCK, CONNECTIONS);
  }
}
