package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A server that keeps locks as a real one does: compares tokens, expires leases by its own wall
 * clock, draws fences as {@code max(last + 1, microseconds)}, keeps a line of waiters and wakes the
 * first one that is subscribed. Each operation is one atomic step.
 */
public final class SimServer {
  /** A proposal further ahead of the clock is capped. */
  private static final long MOST_AHEAD_MICROS = 1_000_000;

  private static final int NANOS_PER_MICRO = 1000;
  private static final double EARLY = 0.9;

  private final SimNode node;
  private final Set<Flaw> flaws;
  private final Map<String, Grant> grants = new HashMap<>();

  /** The last number issued for each name. */
  private final Map<String, Long> fences = new HashMap<>();

  private final Map<String, LinkedHashMap<String, SimLeaseStore>> lines = new HashMap<>();
  private final Map<String, Set<SimLeaseStore>> listeners = new HashMap<>();
  private final Set<SimLeaseStore> connections = new LinkedHashSet<>();
  private long operations;
  private int alwaysSetsAside;
  private long votesFromMicros;

  /** The data after a restart. */
  public enum Data {
    /** Everything written. */
    KEPT,
    /** Nothing. */
    LOST
  }

  private record Grant(String token, long endMicros, long fence) {}

  /** A server without flaws. */
  public SimServer(SimNode node) {
    this(node, Set.of());
  }

  /** A server with flaws. */
  public SimServer(SimNode node, Set<Flaw> flaws) {
    this.node = node;
    this.flaws = flaws.isEmpty() ? EnumSet.noneOf(Flaw.class) : EnumSet.copyOf(flaws);
  }

  /** The machine it runs on, for pauses and clock faults. */
  public SimNode node() {
    return node;
  }

  /** A client's connection to it. */
  public SimLeaseStore connect(SimNode client, FaultPlan faults) {
    SimLeaseStore store = new SimLeaseStore(client, this, faults);
    connections.add(store);
    client.atCrash(() -> disconnect(store));
    return store;
  }

  /**
   * From now on every grant includes at least this many numbers for hand-overs, even if none are
   * requested.
   */
  public void alwaysSetsAside(int numbers) {
    alwaysSetsAside = numbers;
  }

  /** The number of operations that have reached it. */
  public long operations() {
    return operations;
  }

  /** Crashes; requests fail until it is back. */
  public void crash() {
    node.crash();
    listeners.clear();
  }

  /** Starts again. */
  public void restart(Data data) {
    if (data == Data.LOST) {
      loseData();
    }
    node.restart();
    connections.forEach(SimLeaseStore::reconnect);
  }

  /**
   * Grants nothing for this long by its wall clock, and does everything else: a quorum's node that
   * may have lost locks.
   */
  public void quarantine(Duration span) {
    node.world().trace(node.name(), "does not vote for " + span);
    votesFromMicros = node.wallMicros() + span.toNanos() / NANOS_PER_MICRO;
  }

  /** Loses all data without a restart. */
  public void loseData() {
    node.world().trace(node.name(), "lost its data");
    grants.clear();
    fences.clear();
    lines.clear();
  }

  /** Its current record of a lock, read without a message. */
  public Optional<StoredLease> peek(String lock) {
    return live(lock)
        .map(grant -> new StoredLease(grant.token, remaining(grant), OptionalLong.of(grant.fence)));
  }

  /** The number of waiters in a lock's line. */
  public int waiters(String lock) {
    LinkedHashMap<String, SimLeaseStore> line = lines.get(lock);
    return line == null ? 0 : line.size();
  }

  /** Whether a connection is subscribed to a lock's wake-ups. */
  public boolean isListenedTo(String lock) {
    return listeners.containsKey(lock);
  }

  private boolean has(Flaw flaw) {
    return flaws.contains(flaw);
  }

  private Optional<Grant> live(String lock) {
    return Optional.ofNullable(grants.get(lock))
        .filter(grant -> grant.endMicros > node.wallMicros());
  }

  private Duration remaining(Grant grant) {
    return Duration.ofNanos((grant.endMicros - node.wallMicros()) * NANOS_PER_MICRO);
  }

  private long endAfter(Duration ttl) {
    long micros = ttl.toNanos() / NANOS_PER_MICRO;
    return node.wallMicros() + (has(Flaw.EXPIRES_EARLY) ? (long) (micros * EARLY) : micros);
  }

  private boolean isMine(LeaseKey key) {
    return live(key.name()).filter(grant -> grant.token.equals(key.token())).isPresent();
  }

  AcquireResult acquire(AcquireRequest request, SimLeaseStore from) {
    return vote(request, 0, from);
  }

  AcquireResult vote(AcquireRequest request, long proposed, SimLeaseStore from) {
    operations++;
    long proposal = Math.min(proposed, node.wallMicros() + MOST_AHEAD_MICROS);
    if (node.wallMicros() < votesFromMicros) {
      throw new LockStoreException(
          LockStoreException.Kind.UNAVAILABLE, "the server may have forgotten locks");
    }
    LeaseKey key = request.key();
    Optional<Grant> held = live(key.name());
    if (held.isPresent() && !isMine(key)) {
      if (request.ifHeld() == IfHeld.ENQUEUE) {
        lines
            .computeIfAbsent(key.name(), name -> new LinkedHashMap<>())
            .putIfAbsent(request.waiter().token(), from);
      }
      return new AcquireResult.Held(remaining(held.get()));
    }
    outOfLine(request.waiter());
    long end = endAfter(request.ttl());
    if (held.isPresent() && !has(Flaw.GRANT_SHORTENS)) {
      end = Math.max(end, held.get().endMicros);
    }
    long last = fences.getOrDefault(key.name(), 0L);
    long fence = held.isPresent() ? Math.max(last, proposal) : draw(last, proposal);
    int asked = Math.max(request.handOvers(), alwaysSetsAside);
    long most = node.wallMicros() + MOST_AHEAD_MICROS - fence;
    int handOvers = held.isPresent() ? 0 : (int) Math.max(0, Math.min(asked, most));
    fences.put(key.name(), fence + handOvers);
    grants.put(key.name(), new Grant(key.token(), end, fence));
    node.world().trace(node.name(), List.of("grants to", key));
    return new AcquireResult.Granted(OptionalLong.of(fence), handOvers, request.ttl());
  }

  RenewResult raise(LeaseKey key, long fence, int handOvers) {
    operations++;
    Optional<Grant> held = live(key.name());
    if (held.isEmpty() || !isMine(key)) {
      return RenewResult.NOT_OWNER;
    }
    if (has(Flaw.RAISES_NOTHING)) {
      return RenewResult.RENEWED;
    }
    Grant grant = held.get();
    grants.put(key.name(), new Grant(grant.token, grant.endMicros, Math.max(fence, grant.fence)));
    fences.merge(key.name(), fence + handOvers, Math::max);
    return RenewResult.RENEWED;
  }

  private long draw(long last, long proposal) {
    return has(Flaw.FENCE_COUNTS_ONLY)
        ? last + 1
        : Math.max(last + 1, Math.max(proposal, node.wallMicros()));
  }

  RenewResult renew(RenewRequest request) {
    operations++;
    LeaseKey key = request.key();
    Optional<Grant> held = live(key.name());
    if (held.isEmpty() || !(isMine(key) || has(Flaw.RENEWAL_IGNORES_TOKEN))) {
      return RenewResult.NOT_OWNER;
    }
    Grant grant = held.get();
    long end = endAfter(request.ttl());
    end = has(Flaw.RENEWAL_SHORTENS) ? end : Math.max(end, grant.endMicros);
    grants.put(key.name(), new Grant(grant.token, end, grant.fence));
    return RenewResult.RENEWED;
  }

  ReleaseResult release(LeaseKey key, FenceRun run) {
    boolean isLast = isMine(key) && fences.getOrDefault(key.name(), 0L) == run.last();
    if (isLast || has(Flaw.GIVES_BACK_BLINDLY)) {
      fences.put(key.name(), run.used());
    }
    return release(key);
  }

  ReleaseResult release(LeaseKey key) {
    operations++;
    if (!isMine(key) && !(has(Flaw.RELEASE_IGNORES_TOKEN) && live(key.name()).isPresent())) {
      return ReleaseResult.NOT_OWNER;
    }
    grants.remove(key.name());
    node.world().trace(node.name(), List.of("frees for", key));
    return wakeOne(key.name()) ? ReleaseResult.RELEASED_AND_WOKE : ReleaseResult.RELEASED;
  }

  ReleaseResult keep(LeaseKey key, Duration rest) {
    operations++;
    LeaseKey tombstone = new LeaseKey(key.name(), "-" + key.token());
    if (isMine(tombstone)) {
      return ReleaseResult.KEPT;
    }
    if (!isMine(key)) {
      return ReleaseResult.NOT_OWNER;
    }
    Grant grant = live(key.name()).orElseThrow();
    long end = Math.min(grant.endMicros, endAfter(rest));
    grants.put(key.name(), new Grant(tombstone.token(), end, grant.fence));
    node.world().trace(node.name(), List.of("keeps for", key));
    return ReleaseResult.KEPT;
  }

  void leave(LeaseKey waiter) {
    operations++;
    outOfLine(waiter);
    if (live(waiter.name()).isEmpty()) {
      wakeOne(waiter.name());
    }
  }

  private void outOfLine(LeaseKey waiter) {
    LinkedHashMap<String, SimLeaseStore> line = lines.get(waiter.name());
    if (line != null) {
      line.remove(waiter.token());
      if (line.isEmpty()) {
        lines.remove(waiter.name());
      }
    }
  }

  private boolean wakeOne(String lock) {
    LinkedHashMap<String, SimLeaseStore> line = lines.get(lock);
    if (line == null || has(Flaw.WAKES_NOBODY)) {
      return false;
    }
    for (Map.Entry<String, SimLeaseStore> first : List.copyOf(line.entrySet())) {
      outOfLine(new LeaseKey(lock, first.getKey()));
      if (listeners.getOrDefault(lock, Set.of()).contains(first.getValue())) {
        first.getValue().sendWakeUp(lock);
        return true;
      }
    }
    return false;
  }

  Optional<StoredLease> inspect(String lock) {
    operations++;
    return peek(lock);
  }

  void listen(SimLeaseStore store, List<String> locks) {
    operations++;
    locks.forEach(lock -> listeners.computeIfAbsent(lock, l -> new HashSet<>()).add(store));
  }

  void stopListening(SimLeaseStore store, String lock) {
    Set<SimLeaseStore> others = listeners.get(lock);
    if (others != null && others.remove(store) && others.isEmpty()) {
      listeners.remove(lock);
    }
  }

  void disconnect(SimLeaseStore store) {
    connections.remove(store);
    List.copyOf(listeners.keySet()).forEach(lock -> stopListening(store, lock));
  }

  @Override
  public String toString() {
    return node + ", " + grants.size() + " locks";
  }
}
