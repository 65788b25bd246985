package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.time.Duration;
import java.util.List;

/** The backend's settings besides {@link RedisSettings}. */
final class RedissonSettings {
  static final Duration FAIR_TIMEOUT_DEFAULT = Duration.ofSeconds(4);
  static final Duration FAIR_TIMEOUT_LEAST = Duration.ofMillis(100);
  static final Duration FAIR_TIMEOUT_MOST = Duration.ofMinutes(10);

  static final Setting<RedissonMode> MODE =
      RedisSettings.choice(
          "lock.redisson.mode",
          RedissonMode.PLAIN,
          "Which of Redisson's locks is shared: RLock, or RFairLock.");
  static final Setting<String> CONFIG =
      Setting.optionalText(
          "lock.redisson.config",
          "Redisson's own YAML file, which configures the client instead of lock.redis.*.");
  static final Setting<Duration> FAIR_TIMEOUT =
      Setting.duration(
          "lock.redisson.fair-timeout",
          FAIR_TIMEOUT_DEFAULT,
          FAIR_TIMEOUT_LEAST,
          FAIR_TIMEOUT_MOST,
          "How long a waiter of a fair lock that has died keeps its place; live ones renew theirs.");

  static final Setting<RedissonRenewal> RENEWAL =
      RedisSettings.choice(
          "lock.redisson.renewal",
          RedissonRenewal.LEASEHOLD,
          "What renews leases: Leasehold alone, or Redisson's watchdog, which Leasehold monitors.");

  private RedissonSettings() {}

  static List<Setting<?>> all() {
    return RedisSettings.and(MODE, CONFIG, FAIR_TIMEOUT, RENEWAL);
  }
}
