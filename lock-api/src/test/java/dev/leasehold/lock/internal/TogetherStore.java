package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link MapStore} that takes several names in one step, and gives them back by one. */
final class TogetherStore extends MapStore implements MultiLockStore {
  /** How often it was asked for several. */
  private int steps;

  /** What such a question ends with, in place of an answer; done all the same where it is so. */
  @Nullable Throwable fails;

  boolean doesItAllTheSame;

  /** What it makes of an answer. */
  UnaryOperator<Answer> says = UnaryOperator.identity();

  /** Holds answers back. */
  CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  /** Holds the answers to renewals back. */
  CompletableFuture<Void> renewalsGate = CompletableFuture.completedFuture(null);

  /** How many it was asked to give back, each time. */
  final List<Integer> returned = new CopyOnWriteArrayList<>();

  /** Whether it gives them back as a store does by default. */
  boolean returnsOneByOne;

  /** What it makes of what became of them. */
  UnaryOperator<List<ReleaseResult>> returnsSay = UnaryOperator.identity();

  TogetherStore(Ticker ticker) {
    super(ticker);
  }

  synchronized int steps() {
    return steps;
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return names.stream().noneMatch("elsewhere"::equals);
  }

  @Override
  public synchronized CompletionStage<Answer> acquireAll(
      List<AcquireRequest> requests, List<LeaseKey> beside) {
    steps++;
    Throwable failure = fails;
    if (failure != null && !doesItAllTheSame) {
      return CompletableFuture.failedFuture(failure);
    }
    Answer answer = answer(requests, beside);
    return failure == null
        ? gate.thenApply(open -> says.apply(answer))
        : CompletableFuture.failedFuture(failure);
  }

  private Answer answer(List<AcquireRequest> requests, List<LeaseKey> beside) {
    int before = calls;
    List<LeaseKey> keys =
        Stream.concat(requests.stream().map(AcquireRequest::key), beside.stream()).toList();
    Map<Integer, Held> held = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      LeaseKey key = keys.get(i);
      Optional<StoredLease> holder = inspect(key.name()).toCompletableFuture().join();
      boolean mine = holder.filter(lease -> lease.token().equals(key.token())).isPresent();
      if (!mine && (holder.isPresent() || i >= requests.size())) {
        held.put(i, new Held(holder.map(StoredLease::remaining).orElse(Held.ENDLESS)));
      }
    }
    calls = before + 1;
    if (!held.isEmpty()) {
      return new Answer.Refused(held);
    }
    OptionalLong last = OptionalLong.empty();
    for (AcquireRequest request : requests) {
      AcquireResult one = acquire(request).toCompletableFuture().join();
      last = ((AcquireResult.Granted) one).fence();
    }
    calls = before + 1;
    return new Answer.Granted(last, requests.get(0).ttl());
  }

  @Override
  public synchronized CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    returned.add(leases.size());
    int before = calls;
    CompletionStage<List<ReleaseResult>> all = MultiLockStore.super.releaseAll(leases);
    calls = returnsOneByOne ? calls : before + 1;
    return all.thenApply(returnsSay::apply);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return super.renew(batch).stream()
        .<CompletionStage<RenewResult>>map(
            answer -> answer.thenCombine(renewalsGate, (result, open) -> result))
        .toList();
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = EnumSet.copyOf(super.guarantees());
    all.add(Guarantee.TOGETHER);
    return all;
  }
}
