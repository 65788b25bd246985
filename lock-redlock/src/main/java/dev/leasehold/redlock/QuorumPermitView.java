package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A number of permits of a semaphore on a quorum. Thread-safe. */
final class QuorumPermitView extends QuorumKindView {
  /** The number of names to remember slots for; beyond it all are forgotten. */
  private static final int MOST_NAMES = 1000;

  private final int wanted;
  private final int of;

  /** By name: the slots released last, which are the likeliest to be free. */
  private final ConcurrentHashMap<String, List<Integer>> lastGiven;

  QuorumPermitView(
      Quorum quorum,
      Duration longestLease,
      int wanted,
      int of,
      ConcurrentHashMap<String, List<Integer>> lastGiven) {
    super(quorum, longestLease);
    this.wanted = wanted;
    this.of = of;
    this.lastGiven = lastGiven;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Optional<CompletionStage<AcquireResult>> refusal = refused(request);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    List<Integer> guess = lastGiven.remove(request.key().name());
    List<Integer> fits =
        guess != null && guess.stream().allMatch(slot -> slot < of) ? guess : List.of();
    return new SlotRound(quorum(), request, wanted, of).start(fits);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    remember(lease);
    return super.release(lease);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    remember(lease);
    return super.release(lease, run);
  }

  private void remember(LeaseKey lease) {
    if (quorum().stateOf(lease).view instanceof QuorumSlots view) {
      if (lastGiven.size() >= MOST_NAMES) {
        lastGiven.clear();
      }
      lastGiven.put(lease.name(), view.slots());
    }
  }

  /** Empty: a semaphore has several holders. */
  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
  }
}
