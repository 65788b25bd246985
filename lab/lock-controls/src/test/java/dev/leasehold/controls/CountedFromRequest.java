package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The minimum hold counts from the request instead of the grant. */
public final class CountedFromRequest extends Control {
  @Override
  public String name() {
    return "minimum hold counted from the request";
  }

  @Override
  List<String> tells() {
    return List.of("AT-1");
  }

  @Override
  List<String> breaks() {
    return List.of("AT-1");
  }

  @Override
  public LeaseStore open(String address) {
    return new KeepingStore(address) {
      private final Map<String, Long> took = new ConcurrentHashMap<>();

      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        long before = System.nanoTime();
        Optional<Duration> refusal = super.take(key, token, ttl);
        took.put(token, Duration.ofNanos(System.nanoTime() - before).toMillis());
        return refusal;
      }

      @Override
      boolean keep(String key, String token, long rest) {
        return super.keep(key, token, Math.max(1, rest - took.getOrDefault(token, 0L)));
      }
    };
  }
}
