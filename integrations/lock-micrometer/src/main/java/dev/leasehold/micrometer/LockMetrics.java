package dev.leasehold.micrometer;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Tells a {@link MeterRegistry} what happens to a manager's locks:
 * <!-- given: LockSettings settings, io.micrometer.core.instrument.MeterRegistry registry -->
 *
 * <pre>{@code
 * dev.leasehold.micrometer.LockMetrics metrics =
 *     dev.leasehold.micrometer.LockMetrics.on(registry);
 * LockManager locks =
 *     LockManager.opener(settings).engine(builder -> builder.listener(metrics)).open();
 * }</pre>
 *
 * <p>The number of meters does not grow with the number of locks: names are no tags, unless {@link
 * #namesAsTags} asks for them, and then at most so many. One of these serves several managers,
 * whose figures add up. Thread-safe.
 */
public final class LockMetrics implements LockListener {
  /** The value of the tag {@code lock} of those names that are too many. */
  public static final String OTHERS = "others";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10)
  };

  private final MeterRegistry registry;
  private final NameTags names;
  private final AtomicInteger held = new AtomicInteger();

  /** How often each name is held now; a name that is not held is not here. */
  private final Map<String, Integer> holds = new ConcurrentHashMap<>();

  private final Map<String, AtomicInteger> nodes = new ConcurrentHashMap<>();

  private LockMetrics(MeterRegistry registry, NameTags names) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.names = names;
    Gauge.builder("leasehold.held", held, AtomicInteger::get)
        .description("Locks that are held here now")
        .register(registry);
  }

  /** Without names as tags. */
  public static LockMetrics on(MeterRegistry registry) {
    return new LockMetrics(registry, NameTags.NONE);
  }

  /**
   * With a tag {@code lock} on all but the gauges.
   *
   * @param tag the tag's value for a name: the name itself, or what several have in common, as
   *     {@code name -> name.replaceAll(":.*", "")}
   * @param most how many values there may be, 1 to 10,000; what comes later is {@link #OTHERS}
   */
  public static LockMetrics namesAsTags(
      MeterRegistry registry, UnaryOperator<String> tag, int most) {
    return new LockMetrics(registry, NameTags.of(tag, most));
  }

  @Override
  public void on(LockEvent event) {
    Tags tags = names.of(event.lockName());
    if (event instanceof LockEvent.Acquired acquired) {
      began(event.lockName());
      count("leasehold.acquired", "Locks that the store granted", tags);
      time("leasehold.wait", "From asking for a lock to having it", tags, acquired.waited());
    } else if (event instanceof LockEvent.HandedOver handedOver) {
      began(event.lockName());
      count("leasehold.handed.over", "Locks passed on inside the process", tags);
      time("leasehold.wait", "From asking for a lock to having it", tags, handedOver.waited());
    } else if (event instanceof LockEvent.Released released) {
      ended(event.lockName());
      time("leasehold.hold", "From having a lock to releasing it", tags, released.held());
    } else if (event instanceof LockEvent.Lost lost) {
      ended(event.lockName());
      String reason = lost.loss().reason().name().toLowerCase(Locale.ROOT);
      count("leasehold.lost", "Leases that were lost", tags.and("reason", reason));
    } else if (event instanceof LockEvent.Contended) {
      count("leasehold.contended", "Attempts that met another holder", tags);
    } else if (event instanceof LockEvent.Renewed) {
      count("leasehold.renewed", "Leases that were renewed", tags);
    } else if (event instanceof LockEvent.Abandoned) {
      count("leasehold.abandoned", "Holds that nobody can release any more", tags);
    } else if (event instanceof LockEvent.Failed failed) {
      count(
          "leasehold.failed",
          "Calls to the store that failed",
          tags.and("operation", failed.operation()));
    }
  }

  @Override
  public void onNode(NodeEvent event) {
    if (event instanceof NodeEvent.Down) {
      up(event.node()).set(0);
    } else if (event instanceof NodeEvent.Up) {
      up(event.node()).set(1);
    } else if (event instanceof NodeEvent.Slow) {
      count("leasehold.node.slow", "A node became slow", Tags.of("node", event.node()));
    } else if (event instanceof NodeEvent.Quarantined) {
      count(
          "leasehold.node.quarantined",
          "A node may not vote for a while",
          Tags.of("node", event.node()));
    }
  }

  private AtomicInteger up(String node) {
    return nodes.computeIfAbsent(
        node,
        name -> {
          AtomicInteger state = new AtomicInteger(1);
          Gauge.builder("leasehold.node.up", state, AtomicInteger::get)
              .description("Whether a node of the quorum is open; there once it was down")
              .tag("node", name)
              .register(registry);
          return state;
        });
  }

  private void began(String name) {
    holds.merge(name, 1, Integer::sum);
    held.incrementAndGet();
  }

  /** A loss may be found by the release, when both are told. */
  private void ended(String name) {
    holds.computeIfPresent(
        name,
        (same, count) -> {
          held.decrementAndGet();
          return count == 1 ? null : count - 1;
        });
  }

  private void count(String name, String description, Tags tags) {
    Counter.builder(name).description(description).tags(tags).register(registry).increment();
  }

  private void time(String name, String description, Tags tags, Duration took) {
    Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
        .tags(tags)
        .register(registry)
        .record(took);
  }
}
