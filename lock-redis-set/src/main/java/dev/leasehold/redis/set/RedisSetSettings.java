package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.time.Duration;
import java.util.List;

/** The backend's settings besides {@link RedisSettings}. */
final class RedisSetSettings {
  static final Duration DEFAULT_WAIT_TIMEOUT = Duration.ofMillis(100);
  static final int MOST_REPLICAS = 100;

  static final Setting<RedisSetMode> MODE =
      RedisSettings.choice(
          "lock.redis-set.mode",
          RedisSetMode.FENCED,
          "With fencing and wake-ups, or plain keys shared with clients of other languages.");
  static final Setting<Integer> WAIT_REPLICAS =
      Setting.integer(
          "lock.redis-set.wait-replicas",
          0,
          0,
          MOST_REPLICAS,
          "How many replicas must have a lock or a renewal before it counts.");
  static final Setting<Duration> WAIT_TIMEOUT =
      Setting.duration(
          "lock.redis-set.wait-timeout",
          DEFAULT_WAIT_TIMEOUT,
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "How long replicas have to acknowledge; less than lock.command-timeout.");

  private RedisSetSettings() {}

  static List<Setting<?>> all() {
    return RedisSettings.and(MODE, WAIT_REPLICAS, WAIT_TIMEOUT);
  }
}
