package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.util.List;
import java.util.Locale;

/** The backend's settings besides {@link RedisSettings}. */
final class SetnxSettings {
  static final int DEFAULT_CONNECTIONS = 64;
  static final int MOST_CONNECTIONS = 10_000;

  static final Setting<SetnxScheme> SCHEME =
      Setting.choice(
              "lock.redis-setnx.scheme",
              SetnxScheme.SETNX_SCRIPT.id(),
              SetnxScheme.ids(),
              "How locks are kept; the last four are formats shared with clients that exist.")
          .map(SetnxScheme::of);
  static final Setting<SetnxClock> CLOCK =
      Setting.choice(
              "lock.redis-setnx.clock",
              "server",
              List.of("server", "local"),
              "Whose clock decides in the schemes that store a time.")
          .map(text -> SetnxClock.valueOf(text.toUpperCase(Locale.ROOT)));
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
