package dev.leasehold.redisson;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What renews leases. */
enum RedissonRenewal {
  LEASEHOLD,
  WATCHDOG;

  /** The setting's value for it. */
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
