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
 * A store's leases that Redisson's watchdog keeps alive. Thread-safe.
 *
 * <p>It sets their time to live to its own time-out whatever it was, so no lease of its may be
 * longer than that: it would be cut.
 */
final class Watched {
  private final Client client;

  /**
   * Redisson knows holders by threads, and leases have none; its own threads' numbers are above.
   */
  private final AtomicLong numbers = new AtomicLong(-1);

  private final ConcurrentHashMap<String, LeaseKey> granted = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<LeaseKey, Watch> watches = new ConcurrentHashMap<>();

  private volatile boolean used;

  Watched(Client client) {
    this.client = client;
  }

  /** From now on leases may be watched. */
  void use() {
    used = true;
  }

  /** A lease that is watched. */
  record Watch(LeaseKey key, String lock, long number) {}

  /** A request was answered: who is granted a name is the one that may have to be watched. */
  void answered(LeaseKey key, AcquireResult result) {
    if (used && result instanceof Granted) {
      granted.put(key.name(), key);
    }
  }

  void released(LeaseKey key) {
    granted.remove(key.name(), key);
  }

  /** Has the latest lease of a name watched; empty if it is too long for that, or gone. */
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

  /** Why a lease can't be made as long as this. */
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
