package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Delegates to a store; subclasses change a single operation. */
class StoreDelegate implements MinimumHold, RecallStore {
  private final LeaseStore store;

  StoreDelegate(LeaseStore store) {
    this.store = store;
  }

  @Override
  public void start(StoreContext context) {
    store.start(context);
  }

  @Override
  public LeaseKey prepared(LeaseKey fresh) {
    return store.prepared(fresh);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return store.acquire(request);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return store.renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return store.release(lease);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return store.release(lease, run);
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return ((MinimumHold) store).keep(lease, rest);
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return ((RecallStore) store).recallable(fresh);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    return ((RecallStore) store).onRecall(lease, recalled);
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    return ((RecallStore) store).recall(lease);
  }

  @Override
  public void checkLongest(String what, Duration time) {
    store.checkLongest(what, time);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return store.leave(waiter);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return store.watch(waiter, wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return store.inspect(name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return store.guarantees();
  }

  @Override
  public void close() {
    store.close();
  }
}
