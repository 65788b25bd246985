package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Waiters that left a queue without a confirmation from the server: the next request for the name
 * repeats their leaves. Kept until the server confirms them or the place has ended. Bounded,
 * thread-safe.
 */
final class UnconfirmedLeaves {
  /** The most in one request. */
  static final int MOST_AT_ONCE = 100;

  /** The most kept for one name; the server learns of the others when they leave again. */
  private static final int MOST = 1000;

  /** How often expired entries are removed, if there are many names. */
  private static final Duration SWEEPS = Duration.ofMinutes(1);

  private volatile Ticker ticker = Ticker.system();
  private final AtomicLong swept = new AtomicLong(ticker.nanos());

  /** By name: tokens, and when their places end. */
  private final Map<String, Map<String, Long>> leaves = new ConcurrentHashMap<>();

  /** Sets the clock, before the first leave. */
  void by(Ticker time) {
    ticker = time;
    swept.set(time.nanos());
  }

  /** To be called before sending the leave. */
  void begin(LeaseKey waiter) {
    long now = ticker.nanos();
    long end = now + LeaseStore.LONGEST_PLACE.toNanos();
    if (leaves.size() >= MOST && now - swept.get() > SWEEPS.toNanos()) {
      swept.set(now);
      leaves.keySet().forEach(name -> leaves.computeIfPresent(name, (n, all) -> lasting(all, now)));
    }
    leaves.compute(
        waiter.name(),
        (name, known) -> {
          Map<String, Long> all = known == null ? new HashMap<>() : known;
          if (all.size() < MOST) {
            all.put(waiter.token(), end);
          }
          return all;
        });
  }

  private static @Nullable Map<String, Long> lasting(Map<String, Long> all, long now) {
    all.values().removeIf(end -> end - now <= 0);
    return all.isEmpty() ? null : all;
  }

  /** The server has confirmed the leave. */
  void confirmed(LeaseKey waiter) {
    if (!leaves.isEmpty()) {
      leaves.computeIfPresent(
          waiter.name(),
          (name, all) -> {
            all.remove(waiter.token());
            return all.isEmpty() ? null : all;
          });
    }
  }

  /** A name's leaves to send with its next request. */
  List<String> of(String name) {
    if (leaves.isEmpty()) {
      return List.of();
    }
    List<String> some = new ArrayList<>();
    long now = ticker.nanos();
    leaves.computeIfPresent(
        name,
        (n, all) -> {
          Map<String, Long> left = lasting(all, now);
          all.keySet().stream().limit(MOST_AT_ONCE).forEach(some::add);
          return left;
        });
    return some;
  }
}
