package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which value was certainly written for which token, since values don't identify their owners.
 * Expired entries are removed, for leases that are never released. Thread-safe.
 */
final class Written {
  private static final int FEW = 64;

  private final ConcurrentHashMap<LeaseKey, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicInteger sweepAt = new AtomicInteger(FEW);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte[] value, long over) {}

  /** The value of a token, if it has one. */
  byte @Nullable [] of(LeaseKey key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  /**
   * Records a written value.
   *
   * @param over when it expires, in microseconds since 1970
   * @param now the current time, likewise
   */
  void put(LeaseKey key, byte[] value, long over, long now) {
    entries.put(key, new Entry(value, over));
    if (entries.size() > sweepAt.get()) {
      entries.values().removeIf(entry -> entry.over() < now);
      sweepAt.set(Math.max(FEW, 2 * entries.size()));
    }
  }

  /** The value is not there any more, or may not be. */
  void forget(LeaseKey key) {
    entries.remove(key);
  }

  int size() {
    return entries.size();
  }
}
