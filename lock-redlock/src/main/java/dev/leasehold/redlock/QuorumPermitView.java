package dev.leasehold.redlock;

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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A number of permits of a semaphore on a quorum. Thread-safe. */
final class QuorumPermitView implements LeaseStore {
  /** The number of names to remember slots for; beyond it all are forgotten. */
  private static final int MOST_NAMES = 1000;

  private final QuorumKindView whole;
  private final int wanted;
  private final int of;

  /** By name: the slots released last, which are the likeliest to be free. */
  private final ConcurrentHashMap<String, List<Integer>> lastGiven;

  QuorumPermitView(
      QuorumKindView whole,
      int wanted,
      int of,
      ConcurrentHashMap<String, List<Integer>> lastGiven) {
    this.whole = whole;
    this.wanted = wanted;
    this.of = of;
    this.lastGiven = lastGiven;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Optional<CompletionStage<AcquireResult>> refusal = whole.refused(request);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    List<Integer> guess = lastGiven.remove(request.key().name());
    List<Integer> fits =
        guess != null && guess.stream().allMatch(slot -> slot < of) ? guess : List.of();
    return new SlotRound(whole.quorum(), request, wanted, of).start(fits);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return whole.renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    remember(lease);
    return whole.release(lease);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    remember(lease);
    return whole.release(lease, run);
  }

  private void remember(LeaseKey lease) {
    if (whole.quorum().stateOf(lease).view instanceof QuorumSlots view) {
      if (lastGiven.size() >= MOST_NAMES) {
        lastGiven.clear();
      }
      lastGiven.put(lease.name(), view.slots());
    }
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return whole.leave(waiter);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return whole.watch(waiter, wakeUp);
  }

  /** Empty: a semaphore has several holders. */
  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public Set<Guarantee> guarantees() {
    return whole.guarantees();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }
}
