package dev.leasehold.redisson;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The leases of a store that Redisson's watchdog renews. Thread-safe.
 *
 * <p>The watchdog sets their time to live to its own time-out whatever it was, so it would cut
 * longer leases; it is given none.
 */
final class Watched {
  private final Client client;

  /**
   * Stand in for thread ids, by which Redisson identifies holders. Negative, unlike those of
   * threads.
   */
  private final AtomicLong numbers = new AtomicLong(-1);

  private final ConcurrentHashMap<String, LeaseKey> granted = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<LeaseKey, Watch> watches = new ConcurrentHashMap<>();

  private volatile boolean used;

  Watched(Client client) {
    this.client = client;
  }

  /** Leases may be watched from now on. */
  void use() {
    used = true;
  }

  /** A lease that is watched. */
  record Watch(LeaseKey key, String lock, long number) {}

  /** Records the latest grant of a name, which may have to be watched. */
  void answered(LeaseKey key, AcquireResult result) {
    if (used && result instanceof Granted) {
      granted.put(key.name(), key);
    }
  }

  void released(LeaseKey key) {
    granted.remove(key.name(), key);
  }

  /** Starts watching the latest lease of a name; empty if it is too long, or gone. */
  Optional<Watch> begin(String name, Duration lease) {
    LeaseKey key = granted.get(name);
    if (key == null || isTooLong(lease)) {
      return Optional.empty();
    }
    String lock = client.keys(name).lock();
    Watch watch = new Watch(key, lock, numbers.getAndDecrement());
    watches.put(key, watch);
    client.renewals().renewLock(lock, watch.number(), key.token());
    return Optional.of(watch);
  }

  /** Whether the watchdog would cut a lease. */
  boolean isTooLong(Duration lease) {
    return lease.compareTo(client.watchdogTimeout()) > 0;
  }

  void end(Watch watch) {
    watches.remove(watch.key(), watch);
    client.renewals().cancelLockRenewal(watch.lock(), watch.number());
  }

  /** Why a lease can't be renewed for that long. */
  Optional<LockStoreException> refusal(RenewRequest request) {
    Duration most = client.watchdogTimeout();
    return watches.containsKey(request.key()) && request.ttl().compareTo(most) > 0
        ? Optional.of(
            new LockStoreException(
                Kind.REFUSED,
                "Could not renew %s for %s: Redisson's watchdog would cut it to %s"
                    .formatted(
                        LockKind.LOCK.named(request.key().name()),
                        Setting.written(request.ttl()),
                        Setting.written(most))))
        : Optional.empty();
  }
}
