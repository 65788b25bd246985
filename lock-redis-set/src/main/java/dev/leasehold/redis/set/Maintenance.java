package dev.leasehold.redis.set;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** What only newer versions of Lettuce have: not to be loaded with others. */
final class Maintenance {
  private Maintenance() {}

  /** Without a server's notes of its maintenance, which would be asked for on each connection. */
  static void off(ClientOptions.Builder options) {
    options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
  }
}
