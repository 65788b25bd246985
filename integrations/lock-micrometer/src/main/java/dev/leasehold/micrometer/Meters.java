package dev.leasehold.micrometer;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The counters and timers, by name. Each is created at first use. */
record Meters(MeterRegistry registry) {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10)
  };

  /** The operations of {@link dev.leasehold.lock.LockEvent.Failed}. */
  private static final List<String> OPERATIONS =
      List.of("acquire", "renew", "release", "leave", "watch");

  Counter acquired(Tags tags) {
    return counter("leasehold.acquired", "Locks that the store granted", tags);
  }

  Counter handedOver(Tags tags) {
    return counter("leasehold.handed.over", "Locks passed on inside the process", tags);
  }

  Counter notAcquired(Tags tags, Outcome outcome) {
    return counter(
        "leasehold.not.acquired",
        "Acquisitions that ended without the lock",
        tags.and("outcome", lower(outcome)));
  }

  Counter contended(Tags tags) {
    return counter("leasehold.contended", "Attempts refused because of another holder", tags);
  }

  Counter renewed(Tags tags) {
    return counter("leasehold.renewed", "Leases that were renewed", tags);
  }

  Counter abandoned(Tags tags) {
    return counter("leasehold.abandoned", "Holds that can no longer be released", tags);
  }

  Counter lost(Tags tags, LeaseLoss.Reason reason) {
    return counter("leasehold.lost", "Leases that were lost", tags.and("reason", lower(reason)));
  }

  Counter failed(Tags tags, String operation) {
    return counter(
        "leasehold.failed", "Calls to the store that failed", tags.and("operation", operation));
  }

  Counter slow(String node) {
    return counter("leasehold.node.slow", "A node became slow", Tags.of("node", node));
  }

  Counter quarantined(String node) {
    return counter(
        "leasehold.node.quarantined", "A node may not vote for a while", Tags.of("node", node));
  }

  Timer waited(Tags tags) {
    return timer("leasehold.wait", "From the request for a lock to its acquisition", tags);
  }

  Timer held(Tags tags) {
    return timer("leasehold.hold", "From the acquisition of a lock to its release", tags);
  }

  static Tags tags(LockKind kind) {
    return Tags.of("kind", lower(kind));
  }

  /**
   * Creates all meters with these tags: otherwise the first increment of a new meter would not be
   * visible as an increase.
   */
  void beginAtZero(Tags tags) {
    for (LeaseLoss.Reason reason : LeaseLoss.Reason.values()) {
      lost(tags, reason);
    }
    for (Outcome outcome : List.of(Outcome.REFUSED, Outcome.CANCELLED, Outcome.FAILED)) {
      notAcquired(tags, outcome);
    }
    OPERATIONS.forEach(operation -> failed(tags, operation));
    acquired(tags);
    handedOver(tags);
    contended(tags);
    renewed(tags);
    abandoned(tags);
    waited(tags);
    held(tags);
  }

  private Counter counter(String name, String description, Tags tags) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  private Timer timer(String name, String description, Tags tags) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
        .tags(tags)
        .register(registry);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
