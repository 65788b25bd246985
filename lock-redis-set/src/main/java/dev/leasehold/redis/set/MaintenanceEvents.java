package dev.leasehold.redis.set;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/** Uses classes that only newer versions of Lettuce have; must not be loaded with older ones. */
final class MaintenanceEvents {
  private MaintenanceEvents() {}

  /** Turns off maintenance notifications, which Lettuce would request on each connection. */
  static void off(ClientOptions.Builder options) {
    options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
  }
}
