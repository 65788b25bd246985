package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One kind of lock on a quorum, through the nodes' views of that kind. Thread-safe. */
class QuorumKindView implements LeaseStore {
  private final Quorum quorum;
  private final Duration longestLease;

  /**
   * A view.
   *
   * @param longestLease longer leases are refused
   */
  QuorumKindView(Quorum quorum, Duration longestLease) {
    this.quorum = quorum;
    this.longestLease = longestLease;
  }

  /** The same with another view of the nodes, of the same kind. */
  final QuorumKindView by(NodeView view) {
    return new QuorumKindView(quorum.in(view, quorum.promised()), longestLease);
  }

  final Quorum quorum() {
    return quorum;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return refused(request).orElseGet(() -> new QuorumRound(quorum, request).start());
  }

  /** The refusal of a lease that is too long; empty if it is allowed. */
  final Optional<CompletionStage<AcquireResult>> refused(AcquireRequest request) {
    // For a minimum hold as long as the longest lease, the engine requests a little more, for
    // drift.
    boolean isMinimum =
        request.atLeast().compareTo(longestLease) <= 0
            && request.ttl().compareTo(Quorum.engineTtl(request.atLeast())) <= 0;
    return refusal(isMinimum ? request.atLeast() : request.ttl(), longestLease)
        .map(CompletableFuture::failedFuture);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    // An extension to the longest lease needs a little more, too; the nodes' quarantine allows for
    // it.
    Duration longest = Quorum.engineTtl(longestLease);
    for (RenewRequest request : batch) {
      Optional<LockStoreException> refusal = refusal(request.ttl(), longest);
      if (refusal.isPresent()) {
        return refuse(batch, request, refusal.get());
      }
    }
    return new RenewalRound(quorum, batch).start();
  }

  /** Renews all leases but the refused one. */
  private List<CompletionStage<RenewResult>> refuse(
      List<RenewRequest> batch, RenewRequest bad, LockStoreException refusal) {
    int at = batch.indexOf(bad);
    List<CompletionStage<RenewResult>> all = new ArrayList<>(renew(batch.subList(0, at)));
    all.add(CompletableFuture.failedFuture(refusal));
    all.addAll(renew(batch.subList(at + 1, batch.size())));
    return all;
  }

  private Optional<LockStoreException> refusal(Duration lease, Duration longest) {
    if (lease.compareTo(longest) > 0) {
      return Optional.of(
          new LockStoreException(
              LockStoreException.Kind.REFUSED, tooLong("a lease", lease, longestLease)));
    }
    try {
      quorum.nodeTtl(lease);
      return Optional.empty();
    } catch (LockStoreException e) {
      return Optional.of(e);
    }
  }

  /** The message for a time longer than any lease may be. */
  static String tooLong(String what, Duration time, Duration longest) {
    return what
        + " of "
        + Setting.written(time)
        + " is longer than "
        + RedlockSettings.LONGEST_LEASE.key()
        + " = "
        + Setting.written(longest)
        + ", as long as nodes that may have forgotten it do not vote: take a shorter one, or set"
        + " that to more in all clients";
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return quorum.release(quorum.stateOf(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    TokenState tokenState = quorum.stateOf(lease);
    tokenState.fences().used(run.used());
    return quorum.release(tokenState);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return QuorumWaiters.leave(quorum, waiter);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return QuorumWaiters.watch(quorum, waiter, wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return Inspection.inspect(quorum, name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return quorum.promised();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }
}
