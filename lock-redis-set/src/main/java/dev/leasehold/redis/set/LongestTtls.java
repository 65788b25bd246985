package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The longest time to live ever requested for each token. {@code SET … IFEQ … PX} sets a time to
 * live whatever it was, so it is only used if it can't shorten it: for a renewal with at least the
 * time to live of every request before it. Thread-safe.
 */
final class LongestTtls {
  private static final int FIRST_SWEEP = 1024;
  private static final long SLACK_NANOS = Duration.ofMinutes(1).toNanos();

  private final Ticker ticker;
  private final ConcurrentHashMap<String, Asked> tokens = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(FIRST_SWEEP);

  LongestTtls(Ticker ticker) {
    this.ticker = ticker;
  }

  private record Asked(long longestNanos, long lastAt) {}

  /** Records a request with this time to live. */
  void asked(String token, Duration ttl) {
    Asked now = new Asked(ttl.toNanos(), ticker.nanos());
    tokens.merge(
        token,
        now,
        (old, added) ->
            new Asked(Math.max(old.longestNanos(), added.longestNanos()), added.lastAt()));
    int size = tokens.size();
    int limit = sweepAt.get();
    if (size > limit && sweepAt.compareAndSet(limit, Integer.MAX_VALUE)) {
      sweep(now.lastAt());
      sweepAt.set(Math.max(FIRST_SWEEP, 2 * tokens.size()));
    }
  }

  /** Whether no request for the token had a longer one. */
  boolean isLongest(String token, Duration ttl) {
    Asked asked = tokens.get(token);
    return asked != null && ttl.toNanos() >= asked.longestNanos();
  }

  /** The token holds nothing any more. */
  void forget(String token) {
    tokens.remove(token);
  }

  int size() {
    return tokens.size();
  }

  /**
   * Removes tokens that were never released: they have long expired, so nothing can be shortened.
   */
  private void sweep(long now) {
    tokens.values().removeIf(a -> now - a.lastAt() > a.longestNanos() + SLACK_NANOS);
  }
}
