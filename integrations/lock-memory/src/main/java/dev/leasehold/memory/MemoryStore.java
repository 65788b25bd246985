package dev.leasehold.memory;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A manager's connection to the shared memory. */
final class MemoryStore extends View
    implements MinimumHold, PermitStore, ReadWriteStore, LatchStore, MultiLockStore, RecallStore {
  private static final Set<Guarantee> ALL = all();

  /** What a token ends in if its lease can be recalled. */
  private static final String RECALLABLE = "~memory";

  private final Consumer<Runnable> wakes;
  private volatile boolean cut;

  /**
   * Connects to a memory.
   *
   * @param wakes runs wake-ups, if this manager can receive them
   */
  MemoryStore(Memory memory, Consumer<Runnable> wakes) {
    super(memory, Share.LOCK);
    this.wakes = wakes;
  }

  private static Set<Guarantee> all() {
    EnumSet<Guarantee> all = EnumSet.copyOf(KEPT);
    all.addAll(
        EnumSet.of(
            Guarantee.MINIMUM_HOLD,
            Guarantee.SHARED,
            Guarantee.WRITERS_TURN,
            Guarantee.PERMITS,
            Guarantee.LATCH,
            Guarantee.LATCH_OPENING,
            Guarantee.TOGETHER,
            Guarantee.LINGER));
    return Collections.unmodifiableSet(all);
  }

  @Override
  MemoryStore store() {
    return this;
  }

  boolean isCut() {
    return cut;
  }

  void wake(Runnable wakeUp) {
    wakes.accept(wakeUp);
  }

  private View view(Share share) {
    MemoryStore mine = this;
    return new View(memory, share) {
      @Override
      MemoryStore store() {
        return mine;
      }
    };
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return call(Call.RELEASE, lease.name(), (state, now, none) -> state.keep(lease, rest, now));
  }

  static boolean isRecallable(String token) {
    return token.endsWith(RECALLABLE);
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return new LeaseKey(fresh.name(), fresh.token() + RECALLABLE);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    String token = lease.token();
    Runnable ear = () -> wake(recalled);
    return call(
        Call.OTHER,
        lease.name(),
        (state, now, woken) -> {
          memory.recalls().put(token, ear);
          return () -> memory.recalls().remove(token);
        });
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    return call(
        Call.OTHER,
        lease.name(),
        (state, now, woken) -> {
          Runnable ear = memory.recalls().get(lease.token());
          if (ear != null) {
            woken.add(ear);
          }
          return lease;
        });
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return true;
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> all =
        Stream.concat(requests.stream().map(AcquireRequest::key), beside.stream()).toList();
    Duration ttl = requests.get(0).ttl();
    return memory.callAll(
        Call.ACQUIRE,
        this,
        Share.Kind.LOCK,
        all.stream().map(LeaseKey::name).toList(),
        (states, now, woken) -> {
          Map<Integer, AcquireResult.Held> held = new HashMap<>();
          for (int i = 0; i < all.size(); i++) {
            int place = i;
            states
                .get(i)
                .otherThan(all.get(i), i < requests.size(), now, woken)
                .ifPresent(other -> held.put(place, other));
          }
          if (!held.isEmpty()) {
            return new Answer.Refused(held);
          }
          long number = states.stream().mapToLong(NameState::fence).max().orElse(0) + 1;
          for (int i = 0; i < all.size(); i++) {
            long end = i < requests.size() ? now + ttl.toNanos() : now; // never shortened
            states.get(i).take(all.get(i), end, number);
          }
          return new Answer.Granted(OptionalLong.of(number), ttl);
        });
  }

  @Override
  public CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return memory.callAll(
        Call.RELEASE,
        this,
        Share.Kind.LOCK,
        leases.stream().map(LeaseKey::name).toList(),
        (states, now, woken) -> {
          List<ReleaseResult> results = new ArrayList<>();
          for (int i = 0; i < leases.size(); i++) {
            results.add(states.get(i).release(leases.get(i), null, now, woken));
          }
          return results;
        });
  }

  @Override
  public LeaseStore reads() {
    return view(Share.read(""));
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return view(Share.read(write.token()));
  }

  @Override
  public LeaseStore writes() {
    return view(Share.WRITE);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return view(Share.permits(wanted, of));
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return memory.call(
        Call.OTHER, this, Share.Kind.PERMITS, name, (state, now, none) -> state.count());
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return memory.call(
        Call.OTHER,
        this,
        Share.Kind.PERMITS,
        name,
        (state, now, woken) -> {
          state.resize(name, from, to, now, woken);
          return to;
        });
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return memory.call(
        Call.RELEASE,
        this,
        Share.Kind.PERMITS,
        lease.name(),
        (state, now, woken) -> state.shrink(lease, keep, now, woken));
  }

  @Override
  public Latches latches() {
    return new MemoryLatches(memory, this);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return ALL;
  }

  /** Cuts the connection in both directions. */
  @Override
  public void close() {
    cut = true;
    memory.forget(this);
  }

  @Override
  public String toString() {
    return "memory";
  }
}
