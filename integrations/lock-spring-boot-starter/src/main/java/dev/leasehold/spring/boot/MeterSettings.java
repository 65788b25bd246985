package dev.leasehold.spring.boot;

import dev.leasehold.lock.spi.Setting;
import java.util.List;

/** The starter's settings for meters and observations. Needs no Micrometer. */
final class MeterSettings {
  private static final int MOST_PATTERNS = 100;

  static final Setting<Boolean> METRICS =
      Setting.flag(
          "lock.metrics.enabled", true, "Whether locks are metered, where lock-micrometer is.");

  static final Setting<Integer> NAME_TAGS =
      Setting.integer(
          "lock.metrics.name-tags",
          0,
          0,
          10_000,
          "How many lock names the meters distinguish, by a tag; 0 for no such tag.");

  static final Setting<List<String>> NAME_PATTERNS =
      Setting.list(
              "lock.metrics.name-patterns",
              "",
              "Patterns of lock names that the meters distinguish, by a tag, with * for any"
                  + " characters; takes precedence over name-tags.")
          .typed("up to " + MOST_PATTERNS + " patterns, separated by commas")
          .map(MeterSettings::bounded);

  static final Setting<Boolean> OBSERVATIONS =
      Setting.flag(
          "lock.observations.enabled",
          true,
          "Whether locks are observed, for traces, where lock-micrometer is.");

  static final List<Setting<?>> ALL = List.of(METRICS, NAME_TAGS, NAME_PATTERNS, OBSERVATIONS);

  /** Names of the beans configured by these settings. */
  static final List<String> BEANS = List.of("leaseholdLockMetrics", "leaseholdLockObservations");

  private MeterSettings() {}

  private static List<String> bounded(List<String> patterns) {
    if (patterns.size() > MOST_PATTERNS) {
      throw new IllegalArgumentException("these are " + patterns.size());
    }
    return patterns;
  }
}
