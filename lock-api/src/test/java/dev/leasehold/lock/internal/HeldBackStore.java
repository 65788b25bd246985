package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A {@link MapStore} whose answers a test holds back or changes, and which may promise more. */
final class HeldBackStore extends MapStore {
  private static final CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);

  /** Until these are complete, calls hang. */
  volatile CompletableFuture<Void> acquires = OPEN;

  volatile CompletableFuture<Void> renewals = OPEN;
  volatile CompletableFuture<Void> releases = OPEN;

  /** What questions end with, in place of an answer. */
  volatile @Nullable LockException acquiresFail;

  /** What it makes of what became of a release. */
  UnaryOperator<ReleaseResult> releasesSay = UnaryOperator.identity();

  /** What it promises beside the rest. */
  final Set<Guarantee> more = EnumSet.noneOf(Guarantee.class);

  final List<AcquireRequest> asked = new CopyOnWriteArrayList<>();

  /** Those that left the line. */
  final List<LeaseKey> left = new CopyOnWriteArrayList<>();

  final List<Runnable> wakeUps = new CopyOnWriteArrayList<>();

  HeldBackStore(Ticker ticker) {
    super(ticker);
  }

  private CompletionStage<AcquireResult> acquired(AcquireRequest request) {
    return super.acquire(request);
  }

  private CompletionStage<ReleaseResult> released(LeaseKey lease) {
    return super.release(lease);
  }

  private List<CompletionStage<RenewResult>> renewed(List<RenewRequest> batch) {
    return super.renew(batch);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    asked.add(request);
    LockException failure = acquiresFail;
    return failure != null
        ? CompletableFuture.failedFuture(failure)
        : acquires.thenCompose(open -> acquired(request));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<CompletionStage<RenewResult>> answers = new ArrayList<>();
    for (RenewRequest request : batch) {
      answers.add(renewals.thenCompose(open -> renewed(List.of(request)).get(0)));
    }
    return answers;
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return releases.thenCompose(open -> released(lease)).thenApply(releasesSay::apply);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    left.add(waiter);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    wakeUps.add(wakeUp);
    return CompletableFuture.completedFuture(Watch.NONE);
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
    all.addAll(more);
    return all;
  }
}
