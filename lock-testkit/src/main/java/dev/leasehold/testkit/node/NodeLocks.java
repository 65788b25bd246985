package dev.leasehold.testkit.node;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The locks of one node. Not thread-safe: the node confines it to one thread at a time. */
final class NodeLocks {
  private final NodeClock clock;
  private final Map<String, Grant> grants = new HashMap<>();

  private final Sides sides;
  private final Slots slots;

  /** The last number issued for each name. */
  private final Map<String, Long> fences = new HashMap<>();

  /**
   * A grant.
   *
   * @param end on the node's own clock
   */
  record Grant(String token, long end, long fence) {}

  NodeLocks(NodeClock clock) {
    this.clock = clock;
    this.sides = new Sides(clock);
    this.slots = new Slots(clock);
  }

  /** The node's read/write locks, which are separate from its plain locks. */
  Sides sides() {
    return sides;
  }

  /** The node's semaphores. */
  Slots slots() {
    return slots;
  }

  Optional<Grant> live(String name) {
    return Optional.ofNullable(grants.get(name)).filter(grant -> grant.end > clock.nanos());
  }

  private Optional<Grant> mine(LeaseKey key) {
    return live(key.name()).filter(grant -> grant.token.equals(key.token()));
  }

  private Duration left(Grant grant) {
    return Duration.ofNanos(grant.end - clock.nanos());
  }

  /** The new fence is at least {@code proposal}. */
  AcquireResult acquire(AcquireRequest request, long proposal) {
    LeaseKey key = request.key();
    long end = clock.nanos() + request.ttl().toNanos();
    Optional<Grant> held = live(key.name());
    if (held.isPresent() && mine(key).isEmpty()) {
      return new AcquireResult.Held(left(held.get()));
    }
    long last = fences.getOrDefault(key.name(), 0L);
    long fence = Math.max(held.isPresent() ? last : last + 1, proposal);
    int handOvers = held.isPresent() ? 0 : request.handOvers();
    put(key, Math.max(end, held.map(Grant::end).orElse(end)), fence);
    fences.merge(key.name(), fence + handOvers, Math::max);
    return new AcquireResult.Granted(OptionalLong.of(fence), handOvers, request.ttl());
  }

  private void put(LeaseKey key, long end, long fence) {
    grants.put(key.name(), new Grant(key.token(), end, fence));
    fences.merge(key.name(), fence, Math::max);
  }

  RenewResult raise(LeaseKey key, long fence, int handOvers) {
    Optional<Grant> held = mine(key);
    held.ifPresent(
        grant -> {
          put(key, grant.end, Math.max(grant.fence, fence));
          fences.merge(key.name(), fence + handOvers, Math::max);
        });
    return held.isPresent() ? RenewResult.RENEWED : RenewResult.NOT_OWNER;
  }

  RenewResult renew(RenewRequest request) {
    Optional<Grant> held = mine(request.key());
    long end = clock.nanos() + request.ttl().toNanos();
    held.ifPresent(grant -> put(request.key(), Math.max(grant.end, end), grant.fence));
    return held.isPresent() ? RenewResult.RENEWED : RenewResult.NOT_OWNER;
  }

  ReleaseResult release(LeaseKey key, FenceRun run) {
    if (mine(key).isPresent()) {
      fences.replace(key.name(), run.last(), run.used());
    }
    return release(key);
  }

  ReleaseResult release(LeaseKey key) {
    if (mine(key).isEmpty()) {
      return ReleaseResult.NOT_OWNER;
    }
    grants.remove(key.name());
    return ReleaseResult.RELEASED;
  }

  ReleaseResult keep(LeaseKey key, Duration rest) {
    LeaseKey tombstone = new LeaseKey(key.name(), "-" + key.token());
    mine(key)
        .ifPresent(
            grant ->
                put(tombstone, Math.min(grant.end, clock.nanos() + rest.toNanos()), grant.fence));
    return mine(tombstone).isPresent() ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER;
  }

  Optional<StoredLease> inspect(String name) {
    return live(name)
        .map(grant -> new StoredLease(grant.token, left(grant), OptionalLong.of(grant.fence)));
  }

  void put(String name, String token, Duration ttl) {
    put(new LeaseKey(name, token), clock.nanos() + ttl.toNanos(), fences.getOrDefault(name, 0L));
  }

  void remove(String name) {
    grants.remove(name);
  }

  /** Loses all data, as a restart without persistence does. */
  void forget() {
    grants.clear();
    fences.clear();
    sides.forget();
    slots.forget();
  }
}
