package dev.leasehold.redisson;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which of Redisson's locks is shared. All users of a name must use the same. */
public enum RedissonMode {
  /** {@code RLock}: granted to the first request that finds it free. */
  PLAIN,
  /** {@code RFairLock}: in the order of arrival, across processes. */
  FAIR;

  /** The setting's value for it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(RedissonMode::id).toList();
  }

  static RedissonMode of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }
}
