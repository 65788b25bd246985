package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A store for controls that need to know which thread is asking. */
abstract class AskingStore implements LeaseStore {
  private final LeaseStore store;

  AskingStore(LeaseStore store) {
    this.store = store;
  }

  @Override
  public final void start(StoreContext context) {
    store.start(context);
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return store.renew(batch);
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return store.release(lease);
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return store.inspect(name);
  }

  @Override
  public final CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return store.watch(waiter, wakeUp);
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return store.leave(waiter);
  }

  @Override
  public final Set<Guarantee> guarantees() {
    return store.guarantees();
  }

  @Override
  public final void close() {
    store.close();
  }

  @Override
  public final String toString() {
    return store.toString();
  }
}
