package dev.leasehold.redisson;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Who keeps leases alive. */
enum RedissonRenewal {
  LEASEHOLD,
  WATCHDOG;

  /** What the setting calls it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(RedissonRenewal::id).toList();
  }

  static RedissonRenewal of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
