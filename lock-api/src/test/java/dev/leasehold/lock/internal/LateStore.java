package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Answers late, or not at all; what is lost may be done. */
final class LateStore extends MapStore implements MultiLockStore {
  final TogetherStore store = new TogetherStore(Ticker.system());
  final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(2);
  volatile boolean faults = true;
  volatile boolean forgets;

  LateStore() {
    super(Ticker.system());
  }

  private <T> CompletionStage<T> late(Supplier<CompletionStage<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Random random = ThreadLocalRandom.current();
    boolean before = faults && random.nextInt(50) == 0;
    boolean after = faults && random.nextInt(50) == 0;
    boolean fails = random.nextBoolean();
    pool.schedule(
        () -> {
          if (result.isDone()) {
            return; // withdrawn
          }
          if (before) {
            if (fails) {
              result.completeExceptionally(
                  new LockStoreException(LockStoreException.Kind.UNAVAILABLE, "before"));
            }
            return;
          }
          CompletionStage<T> answer = call.get();
          if (after) {
            if (fails) {
              result.completeExceptionally(
                  new LockStoreException(LockStoreException.Kind.UNAVAILABLE, "after"));
            }
            return;
          }
          pool.schedule(
              () ->
                  answer.whenComplete(
                      (value, failure) -> {
                        if (failure == null) {
                          result.complete(value);
                        } else {
                          result.completeExceptionally(failure);
                        }
                      }),
              random.nextInt(1500),
              TimeUnit.MICROSECONDS);
        },
        random.nextInt(1500),
        TimeUnit.MICROSECONDS);
    return result;
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return true;
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    return late(
        () -> {
          forgetIfItDoes();
          return store.acquireAll(requests, beside);
        });
  }

  @Override
  public CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    return late(() -> store.releaseAll(leases));
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return late(
        () -> {
          forgetIfItDoes();
          return store.acquire(request);
        });
  }

  private void forgetIfItDoes() {
    if (forgets) {
      store.forget();
    }
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return late(() -> store.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return late(() -> store.keep(lease, rest));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<CompletionStage<RenewResult>> all = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      List<RenewRequest> one = List.of(batch.get(i));
      all.add(late(() -> store.renew(one).get(0)));
    }
    return all;
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return store.inspect(name);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return store.guarantees();
  }
}
