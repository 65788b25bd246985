package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.MapReadWrite.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link MapLeaseStore} that has semaphores, read/write locks and latches too, and takes several
 * locks in one step.
 */
final class MapStoreOfKinds extends MapLeaseStore
    implements PermitStore, ReadWriteStore, LatchStore, MultiLockStore {
  private final ConcurrentMap<String, Held> locks;
  private final Kinds kinds;

  /**
   * What managers on one memory share beside the locks.
   *
   * @param taking held while locks are taken: several are looked at before one is written
   */
  record Kinds(MapPermits permits, MapReadWrite sides, MapLatches latches, ReentrantLock taking) {
    Kinds() {
      this(new MapPermits(), new MapReadWrite(), new MapLatches(), new ReentrantLock());
    }
  }

  MapStoreOfKinds(ConcurrentMap<String, Held> locks, Kinds kinds) {
    super(locks);
    this.locks = locks;
    this.kinds = kinds;
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    kinds.taking().lock();
    try {
      return super.acquireNow(request);
    } finally {
      kinds.taking().unlock();
    }
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return true;
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    return inTurn(
        requests.stream().map(AcquireRequest::key).toList(),
        () -> {
          kinds.taking().lock();
          try {
            return takeAll(requests, beside);
          } finally {
            kinds.taking().unlock();
          }
        });
  }

  /** All or none, under one number. No other caller takes a lock meanwhile. */
  private Answer takeAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> all = new ArrayList<>(requests.stream().map(AcquireRequest::key).toList());
    all.addAll(beside);
    Map<Integer, AcquireResult.Held> refused = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      Optional<Held> held = live(locks, all.get(i).name());
      boolean free = i < requests.size() && held.isEmpty();
      if (!free && mine(all.get(i)).isEmpty()) {
        refused.put(i, new AcquireResult.Held(held.map(Held::left).orElse(Duration.ZERO)));
      }
    }
    if (!refused.isEmpty()) {
      return new Answer.Refused(refused);
    }
    Duration ttl = requests.get(0).ttl();
    long end = System.nanoTime() + ttl.toNanos();
    long fence = nextFence();
    for (AcquireRequest request : requests) {
      String token = request.key().token();
      locks.merge(
          request.key().name(),
          new Held(token, end, fence),
          (held, fresh) -> held.token().equals(token) ? held.longer(end).with(fence) : fresh);
    }
    for (LeaseKey key : beside) {
      locks.computeIfPresent(
          key.name(), (name, held) -> held.token().equals(key.token()) ? held.with(fence) : held);
    }
    return new Answer.Granted(OptionalLong.of(fence), ttl);
  }

  @Override
  public LeaseStore reads() {
    return kinds.sides().view(Side.READ, "");
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return kinds.sides().view(Side.READ, write.token());
  }

  @Override
  public LeaseStore writes() {
    return kinds.sides().view(Side.WRITE, "");
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return kinds.permits().view(wanted, of);
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return kinds.permits().count(name);
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return kinds.permits().shrink(lease, keep);
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return kinds.permits().resize(name, from, to);
  }

  @Override
  public Latches latches() {
    return kinds.latches();
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = new HashSet<>(super.guarantees());
    all.addAll(
        Set.of(
            Guarantee.PERMITS,
            Guarantee.SHARED,
            Guarantee.WRITERS_TURN,
            Guarantee.LATCH,
            Guarantee.LATCH_OPENING,
            Guarantee.TOGETHER));
    return all;
  }
}
