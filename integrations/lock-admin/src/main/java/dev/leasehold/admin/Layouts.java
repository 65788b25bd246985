package dev.leasehold.admin;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.KeySpace;

/** The layouts by the settings that choose them. */
final class Layouts {
  private Layouts() {}

  static Layout of(LockSettings settings) {
    KeySpace space = KeySpace.of(settings);
    return switch (AdminSettings.scheme(settings)) {
      case FENCED -> new FencedLayout(space);
      case REDISSON -> new RedissonLayout(space);
      default -> throw new LockConfigurationException("not yet");
    };
  }
}
