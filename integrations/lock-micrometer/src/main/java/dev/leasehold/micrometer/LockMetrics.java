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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
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
 * <p>All but those of nodes have a tag {@code kind}: a {@link LockKind}, in small letters. The
 * number of meters does not grow with the number of locks: names are no tags, unless {@link
 * #namesAsTags} asks for them, and then at most so many. One of these serves several managers, and
 * several may share a registry: their figures add up. Thread-safe.
 */
public final class LockMetrics implements LockListener {
  /** The value of the tag {@code lock} of those names that are too many. */
  public static final String OTHERS = "others";

  private final MeterRegistry registry;
  private final Meters meters;
  private final NameTags names;

  /** A registry has each gauge once, so those who share a registry share what they count. */
  private static final Map<MeterRegistry, Now> SHARED =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** What the gauges show. */
  private static final class Now {
    final Map<LockKind, Present> kinds = new ConcurrentHashMap<>();
    final Map<String, AtomicInteger> nodes = new ConcurrentHashMap<>();
  }

  /** Of one kind. */
  private record Present(AtomicInteger held, AtomicInteger waiting) {}

  private final Now now;

  /** The kinds that have been asked for. */
  private final Set<LockKind> known = ConcurrentHashMap.newKeySet();

  private LockMetrics(MeterRegistry registry, NameTags names) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.meters = new Meters(registry);
    this.names = names;
    this.now = SHARED.computeIfAbsent(registry, first -> new Now());
    of(LockKind.LOCK);
  }

  /** Of this kind now. Its meters are made when it is first asked for. */
  private Present of(LockKind kind) {
    Present present = now.kinds.computeIfAbsent(kind, this::gauges);
    if (names == NameTags.NONE && known.add(kind)) {
      meters.beginAtZero(Meters.tags(kind));
    }
    return present;
  }

  private Present gauges(LockKind kind) {
    Present present = new Present(new AtomicInteger(), new AtomicInteger());
    Gauge.builder("leasehold.held", present.held, AtomicInteger::get)
        .description("Locks that are held here now")
        .tags(Meters.tags(kind))
        .register(registry);
    Gauge.builder("leasehold.waiting", present.waiting, AtomicInteger::get)
        .description("Acquisitions that are under way here now")
        .tags(Meters.tags(kind))
        .register(registry);
    return present;
  }

  /** Without names as tags. */
  public static LockMetrics on(MeterRegistry registry) {
    return new LockMetrics(registry, NameTags.NONE);
  }

  /**
   * With a tag {@code lock} besides on all but the gauges.
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
    Present present = of(kind);
    present.waiting.incrementAndGet();
    return Optional.of(new Presence(kind, lockName, present));
  }

  /** One acquisition in the gauges: its listener is called in order, so nothing is left there. */
  private final class Presence implements AcquisitionListener {
    private final LockKind kind;
    private final String lockName;
    private final Present present;
    private boolean holds;

    Presence(LockKind kind, String lockName, Present present) {
      this.kind = kind;
      this.lockName = lockName;
      this.present = present;
    }

    @Override
    public void decided(AcquisitionResult result) {
      present.waiting.decrementAndGet();
      if (result.outcome().beginsHold()) {
        holds = true;
        present.held.incrementAndGet();
      } else if (result.outcome() != Outcome.REENTERED) {
        meters.notAcquired(tags(kind, lockName), result.outcome()).increment();
      }
    }

    @Override
    public void released() {
      leave();
    }

    @Override
    public void ended(Optional<LeaseLoss> loss) {
      leave(); // if it was not released before
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
              .description("Whether a node of the quorum is open; there once it was down")
              .tag("node", name)
              .register(registry);
          return state;
        });
  }
}
