package dev.leasehold.micrometer;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Records the events of a manager's locks in a {@link MeterRegistry}:
 * <!-- given: LockSettings settings, io.micrometer.core.instrument.MeterRegistry registry -->
 *
 * <pre>{@code
 * dev.leasehold.micrometer.LockMetrics metrics =
 *     dev.leasehold.micrometer.LockMetrics.on(registry);
 * LockManager locks =
 *     LockManager.opener(settings).engine(builder -> builder.listener(metrics)).open();
 * }</pre>
 *
 * <p>All meters except those of nodes have a tag {@code kind}: a {@link LockKind}, in lower case.
 * The number of meters does not grow with the number of locks: names are not tags unless {@link
 * #patternsAsTags} or {@link #namesAsTags} make them tags, up to a limit. One instance can serve
 * several managers, and several instances may share a registry: their values add up. Thread-safe.
 */
public final class LockMetrics implements LockListener {
  /** The value of the tag {@code lock} for names beyond the limit, or without a pattern. */
  public static final String OTHERS = "others";

  private final MeterRegistry registry;
  private final Meters meters;
  private final NameTags names;

  /** A registry has each gauge once, so instances that share a registry share their counts. */
  private static final Map<MeterRegistry, Now> SHARED =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The counts behind the gauges. */
  private static final class Now {
    final Map<Tags, Present> present = new ConcurrentHashMap<>();
    final Map<String, AtomicInteger> nodes = new ConcurrentHashMap<>();
  }

  /** The counts of one kind, and of one pattern or name if these are tags. */
  private record Present(AtomicInteger held, AtomicInteger waiting) {}

  private final Now now;

  /** The kinds that have been used. */
  private final Set<LockKind> known = ConcurrentHashMap.newKeySet();

  private LockMetrics(MeterRegistry registry, NameTags names) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.meters = new Meters(registry);
    this.names = names;
    this.now = SHARED.computeIfAbsent(registry, first -> new Now());
    begin(LockKind.LOCK);
  }

  /** Creates the meters of a kind at its first use. */
  private void begin(LockKind kind) {
    if (known.add(kind)) {
      for (Tags known : names.known()) {
        Tags tags = known.and(Meters.tags(kind));
        of(tags);
        meters.beginAtZero(tags);
      }
    }
  }

  private Present of(Tags tags) {
    return now.present.computeIfAbsent(tags, this::gauges);
  }

  private Present gauges(Tags tags) {
    Present present = new Present(new AtomicInteger(), new AtomicInteger());
    Gauge.builder("leasehold.held", present.held, AtomicInteger::get)
        .description("Locks held by this manager now")
        .tags(tags)
        .register(registry);
    Gauge.builder("leasehold.waiting", present.waiting, AtomicInteger::get)
        .description("Acquisitions in progress in this manager now")
        .tags(tags)
        .register(registry);
    return present;
  }

  /** Creates an instance without names as tags. */
  public static LockMetrics on(MeterRegistry registry) {
    return new LockMetrics(registry, NameTags.NONE);
  }

  /**
   * Creates an instance with an additional tag {@code lock}: the first of the patterns that matches
   * the name, or {@link #OTHERS}. So the meters show who waits for what, for how long, and how long
   * it is held, and their number is known. They exist at 0 from the start.
   *
   * @param patterns 1 to 100, in which {@code *} stands for any characters: {@code orders:*}
   * @throws IllegalArgumentException if there are none, too many, or an empty one
   */
  public static LockMetrics patternsAsTags(MeterRegistry registry, List<String> patterns) {
    return new LockMetrics(registry, NameTags.patterns(patterns));
  }

  /**
   * Creates an instance with an additional tag {@code lock} on all meters except those of nodes,
   * for names that are not known beforehand.
   *
   * @param tag the tag's value for a name: the name itself, or a part common to several names, such
   *     as {@code name -> name.replaceAll(":.*", "")}
   * @param most limit of the number of values, 1 to 10,000; further values become {@link #OTHERS}
   */
  public static LockMetrics namesAsTags(
      MeterRegistry registry, UnaryOperator<String> tag, int most) {
    return new LockMetrics(registry, NameTags.of(tag, most));
  }

  @Override
  public void on(LockEvent event) {
    Tags tags = tags(event.kind(), event.lockName());
    if (event instanceof LockEvent.Acquired acquired) {
      meters.acquired(tags).increment();
      meters.waited(tags).record(acquired.waited());
    } else if (event instanceof LockEvent.HandedOver handedOver) {
      meters.handedOver(tags).increment();
      meters.waited(tags).record(handedOver.waited());
    } else if (event instanceof LockEvent.Released released) {
      meters.held(tags).record(released.held());
    } else if (event instanceof LockEvent.Lost lost) {
      meters.lost(tags, lost.loss().reason()).increment();
    } else if (event instanceof LockEvent.Contended) {
      meters.contended(tags).increment();
    } else if (event instanceof LockEvent.Renewed) {
      meters.renewed(tags).increment();
    } else if (event instanceof LockEvent.Abandoned) {
      meters.abandoned(tags).increment();
    } else if (event instanceof LockEvent.Failed failed) {
      meters.failed(tags, failed.operation()).increment();
    }
  }

  private Tags tags(LockKind kind, String lockName) {
    return names.of(lockName).and(Meters.tags(kind));
  }

  @Override
  public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
    begin(kind);
    Tags tags = tags(kind, lockName);
    Present present = of(tags);
    present.waiting.incrementAndGet();
    return Optional.of(new Presence(tags, present));
  }

  /**
   * One acquisition in the gauges. Its methods are called in order, so the gauges return to zero.
   */
  private final class Presence implements AcquisitionListener {
    private final Tags tags;
    private final Present present;
    private boolean holds;

    Presence(Tags tags, Present present) {
      this.tags = tags;
      this.present = present;
    }

    @Override
    public void decided(AcquisitionResult result) {
      present.waiting.decrementAndGet();
      if (result.outcome().beginsHold()) {
        holds = true;
        present.held.incrementAndGet();
      } else if (result.outcome() != Outcome.REENTERED) {
        meters.notAcquired(tags, result.outcome()).increment();
      }
    }

    @Override
    public void released() {
      leave();
    }

    @Override
    public void ended(Optional<LeaseLoss> loss) {
      leave(); // if it was not released earlier
    }

    private void leave() {
      if (holds) {
        holds = false;
        present.held.decrementAndGet();
      }
    }
  }

  @Override
  public void onNode(NodeEvent event) {
    if (event instanceof NodeEvent.Down) {
      up(event.node()).set(0);
    } else if (event instanceof NodeEvent.Up) {
      up(event.node()).set(1);
    } else if (event instanceof NodeEvent.Slow) {
      meters.slow(event.node()).increment();
    } else if (event instanceof NodeEvent.Quarantined) {
      meters.quarantined(event.node()).increment();
    }
  }

  private AtomicInteger up(String node) {
    return now.nodes.computeIfAbsent(
        node,
        name -> {
          AtomicInteger state = new AtomicInteger(1);
          Gauge.builder("leasehold.node.up", state, AtomicInteger::get)
              .description("Whether a node of the quorum is up; present once it was down")
              .tag("node", name)
              .register(registry);
          return state;
        });
  }
}
