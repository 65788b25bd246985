package dev.leasehold.admin;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.KeySpace;

/** Selects a layout by the settings. */
final class Layouts {
  private Layouts() {}

  static Layout of(LockSettings settings) {
    KeySpace space = KeySpace.of(settings);
    return switch (AdminSettings.scheme(settings)) {
      case FENCED -> new FencedLayout(space, FencedLayout.Values.TOKENS);
      case OWNED_TIMESTAMP -> new FencedLayout(space, FencedLayout.Values.TIMES);
      case PLAIN -> new BareLayout(space, BareLayout.Format.TOKEN);
      case SECONDS -> new BareLayout(space, BareLayout.Format.SECONDS);
      case FRACTION -> new BareLayout(space, BareLayout.Format.FRACTION);
      case MILLIS -> new BareLayout(space, BareLayout.Format.MILLIS);
      case REDISSON -> new RedissonLayout(space);
    };
  }
}
