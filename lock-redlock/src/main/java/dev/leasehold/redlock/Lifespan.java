package dev.leasehold.redlock;

import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** How long a token may be on the nodes, as far as they were asked in time. Thread-safe. */
final class Lifespan {
  /** Beyond what clocks may differ by, a node has let go of a lease that ended so long ago. */
  private static final Duration SURELY_OVER = Duration.ofSeconds(5);

  /** The latest time to live, and when the lease ends. */
  private record Span(Duration ttl, long endsAt) {}

  private final Ticker ticker;
  private final AtomicReference<Span> span;

  Lifespan(Ticker ticker) {
    this.ticker = ticker;
    this.span = new AtomicReference<>(new Span(Duration.ofSeconds(10), ticker.nanos()));
  }

  /** Nodes are asked to keep it for this long from now. It never ends sooner again. */
  void lasts(Duration time) {
    long end = ticker.nanos() + time.toNanos();
    span.updateAndGet(known -> new Span(time, end - known.endsAt > 0 ? end : known.endsAt));
  }

  private Span known() {
    return Objects.requireNonNull(span.get());
  }

  /** What nodes were asked for the latest time. */
  Duration ttl() {
    return known().ttl;
  }

  /** For as long as the other nodes have it: a minimum hold may be longer than what is renewed. */
  Duration rest() {
    Span known = known();
    Duration left = Duration.ofNanos(known.endsAt - ticker.nanos());
    return left.compareTo(known.ttl) > 0 ? left.plusMillis(1) : known.ttl;
  }

  boolean isSurelyOver(long now) {
    Span known = known();
    return now - known.endsAt > SURELY_OVER.plus(known.ttl.dividedBy(10)).toNanos();
  }
}
