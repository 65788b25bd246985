package dev.leasehold.redlock;

import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long a token may be on the nodes, provided that the requests arrived in time. Thread-safe.
 */
final class Lifespan {
  /** How long after its end a lease has surely expired on the nodes, besides clock drift. */
  private static final Duration SURELY_OVER = Duration.ofSeconds(5);

  /** The latest time to live requested, and when the lease ends. */
  private record Span(Duration ttl, long endsAt) {}

  private final Ticker ticker;
  private final AtomicReference<Span> span;

  Lifespan(Ticker ticker) {
    this.ticker = ticker;
    this.span = new AtomicReference<>(new Span(Duration.ofSeconds(10), ticker.nanos()));
  }

  /**
   * Nodes are asked to keep the token for this long from now. The end is never moved forward again.
   */
  void lasts(Duration time) {
    long end = ticker.nanos() + time.toNanos();
    span.updateAndGet(known -> new Span(time, end - known.endsAt > 0 ? end : known.endsAt));
  }

  private Span known() {
    return Objects.requireNonNull(span.get());
  }

  /** The time to live last requested. */
  Duration ttl() {
    return known().ttl;
  }

  /** The time for which the other nodes keep it: a minimum hold may outlast the last renewal. */
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
