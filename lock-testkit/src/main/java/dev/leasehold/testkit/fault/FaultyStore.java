package dev.leasehold.testkit.fault;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
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

/** A store with faults in front of it. Supports whatever the store's guarantees imply. */
final class FaultyStore
    implements MinimumHold, PermitStore, ReadWriteStore, LatchStore, MultiLockStore, RecallStore {
  private final LeaseStore store;
  private final Faults faults;

  FaultyStore(LeaseStore store, Faults faults) {
    this.store = store;
    this.faults = faults;
  }

  @Override
  public void start(StoreContext context) {
    store.start(context);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return faults.around(Op.ACQUIRE, request.key(), () -> store.acquire(request));
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return store instanceof MultiLockStore several && several.takesTogether(names);
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    return faults.around(
        Op.ACQUIRE,
        requests.get(0).key(),
        () -> ((MultiLockStore) store).acquireAll(requests, beside));
  }

  @Override
  public CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return faults.around(
        Op.RELEASE, leases.get(0), () -> ((MultiLockStore) store).releaseAll(leases));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    // One at a time: each lease of a batch may meet a different fault.
    return batch.stream().map(this::renewOne).toList();
  }

  private CompletionStage<RenewResult> renewOne(RenewRequest request) {
    return faults.around(Op.RENEW, request.key(), () -> store.renew(List.of(request)).get(0));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return faults.around(Op.RELEASE, lease, () -> store.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return faults.around(Op.RELEASE, lease, () -> store.release(lease, run));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    MinimumHold keeper = (MinimumHold) store;
    return faults.around(Op.KEEP, lease, () -> keeper.keep(lease, rest));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return faults.around(Op.LEAVE, waiter, () -> store.leave(waiter).thenApply(done -> waiter));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return faults.around(Op.WATCH, waiter, () -> store.watch(waiter, faults.heard(wakeUp)));
  }

  @Override
  public LeaseKey prepared(LeaseKey fresh) {
    return store.prepared(fresh);
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return ((RecallStore) store).recallable(fresh);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    RecallStore recalls = (RecallStore) store;
    return faults.around(Op.WATCH, lease, () -> recalls.onRecall(lease, recalled));
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    RecallStore recalls = (RecallStore) store;
    return faults.around(Op.RECALL, lease, () -> recalls.recall(lease).thenApply(done -> lease));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return faults.around(Op.INSPECT, name, "", () -> store.inspect(name));
  }

  @Override
  public LeaseStore reads() {
    return new FaultyStore(((ReadWriteStore) store).reads(), faults);
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return new FaultyStore(((ReadWriteStore) store).readsBeside(write), faults);
  }

  @Override
  public LeaseStore writes() {
    return new FaultyStore(((ReadWriteStore) store).writes(), faults);
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new FaultyStore(((PermitStore) store).permits(wanted, of), faults);
  }

  @Override
  public int mostPermits() {
    return ((PermitStore) store).mostPermits();
  }

  @Override
  public CompletionStage<Permits> count(String name) {
    return faults.around(Op.INSPECT, name, "", () -> ((PermitStore) store).count(name));
  }

  @Override
  public CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return faults.around(Op.RELEASE, lease, () -> ((PermitStore) store).shrink(lease, keep));
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return ((PermitStore) store).resize(name, from, to);
  }

  @Override
  public Latches latches() {
    return new FaultyLatches(((LatchStore) store).latches(), faults);
  }

  @Override
  public boolean hasOneNameSpace() {
    return store.hasOneNameSpace();
  }

  @Override
  public void checkLongest(String what, Duration time) {
    store.checkLongest(what, time);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return store.guarantees();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public String toString() {
    return "faults over " + store;
  }
}
