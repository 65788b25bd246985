package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code SETNX} with the end of the lease as the value, by the client's own clock. It remembers the
 * value. Renewal and, unless a control changes it, release compare with that in one step.
 */
abstract class TimestampSketch extends SoundStore {
  private static final String REPLACE =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2])
      return 1
      """;

  /** The values written, by token. */
  final Map<String, String> written = new ConcurrentHashMap<>();

  TimestampSketch(String address, Set<Guarantee> believed) {
    super(address, believed);
  }

  /** Takes over a lock that was found expired. */
  abstract boolean takeOver(String key, String old, String mine);

  static boolean isOver(String value) {
    return Long.parseLong(value) < System.currentTimeMillis();
  }

  private static Duration left(String value) {
    return Duration.ofMillis(Math.max(0, Long.parseLong(value) + 1 - System.currentTimeMillis()));
  }

  @Override
  final Optional<Duration> take(String key, String token, long ttl) {
    String mine = Long.toString(System.currentTimeMillis() + ttl);
    // Stored before the answer: should that be lost, the release needs it.
    String before = written.put(token, mine);
    if (redis.number("SETNX", key, mine) == 1) {
      return Optional.empty();
    }
    Optional<String> old = redis.text("GET", key);
    if (old.isEmpty()) {
      written.remove(token);
      return Optional.of(Duration.ZERO);
    }
    if (old.get().equals(before) && !isOver(before)) {
      written.put(token, before);
      return prolong(key, token, ttl) ? Optional.empty() : Optional.of(Duration.ZERO);
    }
    if (isOver(old.get()) && takeOver(key, old.get(), mine)) {
      return Optional.empty();
    }
    written.remove(token);
    return Optional.of(left(old.get()));
  }

  @Override
  boolean free(String key, String token) {
    return freeUnheard(key, token);
  }

  @Override
  final boolean freeUnheard(String key, String token) {
    String mine = written.remove(token);
    return mine != null && !isOver(mine) && redis.script(FREE, key, mine) == 1;
  }

  @Override
  final boolean prolong(String key, String token, long ttl) {
    String mine = written.get(token);
    if (mine == null || isOver(mine)) {
      return false;
    }
    String longer = Long.toString(System.currentTimeMillis() + ttl);
    if (Long.parseLong(longer) <= Long.parseLong(mine)) {
      return redis.text("GET", key).filter(mine::equals).isPresent();
    }
    boolean done = redis.script(REPLACE, key, mine, longer) == 1;
    if (done) {
      written.put(token, longer);
    }
    return done;
  }

  @Override
  final Optional<StoredLease> holder(String key) {
    return redis
        .text("GET", key)
        .map(Long::parseLong)
        .map(end -> end + 1 - System.currentTimeMillis())
        .filter(left -> left > 0)
        .map(left -> new StoredLease("somebody", Duration.ofMillis(left), OptionalLong.empty()));
  }
}
