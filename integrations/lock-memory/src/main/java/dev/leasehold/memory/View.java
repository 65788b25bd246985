package dev.leasehold.memory;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.memory.Share.Kind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One kind of lock as a store. */
class View implements LeaseStore {
  static final Set<Guarantee> KEPT =
      Collections.unmodifiableSet(
          EnumSet.of(
              Guarantee.OWNED,
              Guarantee.SERVER_EXPIRY,
              Guarantee.CLOCK_INDEPENDENT,
              Guarantee.FENCING,
              Guarantee.WAKE_UP,
              Guarantee.WAKE_ONE,
              Guarantee.TURNS));

  final Memory memory;
  private final Share share;

  View(Memory memory, Share share) {
    this.memory = memory;
    this.share = share;
  }

  /** The store that this is a view of. */
  MemoryStore store() {
    throw new IllegalStateException("a view has a store");
  }

  final <T> CompletionStage<T> call(Call call, String name, Memory.Step<T> step) {
    return memory.call(call, store(), share.kind(), name, step);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return call(
        Call.ACQUIRE,
        request.key().name(),
        (state, now, wakes) -> state.acquire(share, request, store(), now, wakes));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renewOne).toList();
  }

  private CompletionStage<RenewResult> renewOne(RenewRequest request) {
    return call(Call.RENEW, request.key().name(), (state, now, wakes) -> state.renew(request, now));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return call(
        Call.RELEASE, lease.name(), (state, now, wakes) -> state.release(lease, null, now, wakes));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return call(
        Call.RELEASE, lease.name(), (state, now, wakes) -> state.release(lease, run, now, wakes));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return call(
        Call.OTHER,
        waiter.name(),
        (state, now, wakes) -> {
          state.leave(waiter, now, wakes);
          return waiter;
        });
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    String name = waiter.name();
    Runnable ear = () -> store().wake(wakeUp);
    return call(
        Call.OTHER,
        name,
        (state, now, wakes) -> {
          state.listen(store(), ear);
          return () ->
              memory.look(
                  share.kind(),
                  name,
                  (same, then, none) -> {
                    same.stopListening(store(), ear);
                    return ear;
                  });
        });
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    if (share.kind() == Kind.PERMITS) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return call(Call.OTHER, name, (state, now, wakes) -> stored(state, now));
  }

  private Optional<StoredLease> stored(NameState state, long now) {
    return state
        .holder(share.reads())
        .map(
            e ->
                new StoredLease(
                    e.getKey(),
                    e.getValue().left(now),
                    OptionalLong.of(e.getValue().firstFence())));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return KEPT;
  }

  @Override
  public void close() {}
}
