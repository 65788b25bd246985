package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
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
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that may not be reachable yet: until it is, every call fails as unreachable. */
abstract class LazyStore implements QuorumNode {
  private final String address;

  /**
   * A store.
   *
   * @param address for messages
   */
  LazyStore(String address) {
    this.address = address;
  }

  /** The store; null until it has been reached. */
  abstract @Nullable LeaseStore reached();

  final String address() {
    return address;
  }

  final <T> CompletionStage<T> ask(Function<LeaseStore, CompletionStage<T>> call) {
    LeaseStore store = reached();
    return store == null ? CompletableFuture.failedFuture(unreachable()) : call.apply(store);
  }

  private LockStoreException unreachable() {
    return new LockStoreException(
        Kind.UNREACHABLE, address + " has not been reached since the quorum was opened");
  }

  @Override
  public final LeaseKey prepared(LeaseKey fresh) {
    LeaseStore store = reached();
    return store == null ? fresh : store.prepared(fresh);
  }

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return ask(store -> store.acquire(request));
  }

  @Override
  public final CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return ask(store -> ((QuorumNode) store).vote(request, proposal));
  }

  @Override
  public final CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return ask(store -> ((QuorumNode) store).raise(lease, fence, handOvers));
  }

  @Override
  public final CompletionStage<ReleaseResult> withdraw(LeaseKey lease) {
    return ask(store -> ((QuorumNode) store).withdraw(lease));
  }

  @Override
  public final CompletionStage<OptionalLong> time() {
    return ask(
        store ->
            store instanceof QuorumNode voter
                ? voter.time()
                : CompletableFuture.completedStage(OptionalLong.empty()));
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    LeaseStore store = reached();
    if (store != null) {
      return store.renew(batch);
    }
    LockStoreException failure = unreachable();
    return batch.stream()
        .map(request -> CompletableFuture.<RenewResult>failedStage(failure))
        .toList();
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ask(store -> store.release(lease));
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return ask(store -> store.release(lease, run));
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return ask(store -> store.leave(waiter).thenApply(done -> waiter));
  }

  @Override
  public final CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return ask(store -> store.watch(waiter, wakeUp));
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return ask(store -> store.inspect(name));
  }

  /** The store's guarantees; until it is reached, all of them, so that the other nodes' decide. */
  @Override
  public Set<Guarantee> guarantees() {
    LeaseStore store = reached();
    if (store == null) {
      return EnumSet.allOf(Guarantee.class);
    }
    Set<Guarantee> all = EnumSet.noneOf(Guarantee.class);
    all.addAll(store.guarantees());
    if (!(store instanceof QuorumNode)) {
      Promises.withoutVotes(all);
    }
    return all;
  }

  @Override
  public String toString() {
    return address;
  }
}
