package dev.leasehold.lock.spi;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Base class of a store on a blocking client. Implement the {@code ...Now} methods; they may block
 * and may throw {@link dev.leasehold.lock.LockStoreException}. They are never called on a virtual
 * thread, but on threads of the manager; and, if the store's calls are {@linkplain #cuttable
 * cuttable}, also on the thread of a blocking lock operation that waits for the call.
 */
public abstract class BlockingLeaseStore implements LeaseStore {
  private @Nullable Executor executor;
  private @Nullable StoreContext context;

  /** The latest running or queued call of each token; it may outlast its time-out. */
  private final ConcurrentHashMap<String, CompletableFuture<Void>> latest =
      new ConcurrentHashMap<>();

  /**
   * Held while a call for several tokens is queued, so that two such calls cannot wait for each
   * other.
   */
  private final ReentrantLock linesUp = new ReentrantLock();

  /** For subclasses only. */
  protected BlockingLeaseStore() {}

  /** {@inheritDoc} Overrides must call it. */
  @Override
  public void start(StoreContext context) {
    this.context = context;
    executor = context.blockingExecutor();
  }

  /** As {@link LeaseStore#acquire}; blocks. */
  protected abstract AcquireResult acquireNow(AcquireRequest request);

  /** As {@link LeaseStore#renew} for one lease; blocks. */
  protected abstract RenewResult renewNow(RenewRequest request);

  /** As {@link LeaseStore#release(LeaseKey)}; blocks. */
  protected abstract ReleaseResult releaseNow(LeaseKey lease);

  /**
   * As {@link LeaseStore#release(LeaseKey, FenceRun)}; blocks. The default ignores unused fencing
   * tokens.
   */
  protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return releaseNow(lease);
  }

  /** As {@link LeaseStore#inspect}; blocks. */
  protected abstract Optional<StoredLease> inspectNow(String name);

  /**
   * As {@link LeaseStore#leave}; blocks. The default does nothing, for stores without a queue of
   * waiters.
   */
  protected void leaveNow(LeaseKey waiter) {}

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return inTurn(request.key(), () -> acquireNow(request));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(request -> inTurn(request.key(), () -> renewNow(request))).toList();
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return inTurn(lease, () -> releaseNow(lease));
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return inTurn(lease, () -> releaseNow(lease, run));
  }

  @Override
  public final CompletionStage<?> leave(LeaseKey waiter) {
    return run(
        () -> {
          leaveNow(waiter);
          return waiter;
        });
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return run(() -> inspectNow(name));
  }

  /**
   * Runs a call after all earlier calls for the same token have finished, including cancelled ones:
   * a release never overtakes an acquisition that still hangs. A call cancelled before its turn is
   * not run.
   */
  private <T> CompletionStage<T> inTurn(LeaseKey key, Supplier<T> call) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    return after(
        latest.put(key.token(), over),
        call,
        () -> {
          latest.remove(key.token(), over);
          over.complete(null);
        });
  }

  /**
   * Runs a call for several leases: after all earlier calls for any of their tokens have finished,
   * and before all later ones. A call cancelled before its turn is not run. For stores that take
   * several locks in one step ({@link MultiLockStore}).
   */
  protected final <T> CompletionStage<T> inTurn(List<LeaseKey> leases, Supplier<T> call) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Set<CompletableFuture<Void>> before = new HashSet<>();
    linesUp.lock();
    try {
      for (LeaseKey lease : leases) {
        CompletableFuture<Void> earlier = latest.put(lease.token(), over);
        if (earlier != null && earlier != over) { // not this call itself, for a duplicate token
          before.add(earlier);
        }
      }
    } finally {
      linesUp.unlock();
    }
    return after(
        before.isEmpty()
            ? null
            : CompletableFuture.allOf(before.toArray(CompletableFuture<?>[]::new)),
        call,
        () -> {
          leases.forEach(lease -> latest.remove(lease.token(), over));
          over.complete(null);
        });
  }

  private <T> CompletionStage<T> after(
      @Nullable CompletableFuture<Void> before, Supplier<T> call, Runnable over) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable turn =
        () ->
            runWhereAllowed(() -> runUnlessGivenUp(result, call))
                .whenComplete(
                    (done, failure) -> {
                      over.run();
                      if (failure != null) {
                        result.completeExceptionally(failure);
                      }
                    });
    if (before == null) {
      turn.run();
    } else {
      before.thenRun(turn);
    }
    return result;
  }

  private static <T> boolean runUnlessGivenUp(CompletableFuture<T> result, Supplier<T> call) {
    return result.isDone() || result.complete(call.get());
  }

  /**
   * How to make a call on the thread of a lock operation's caller ({@link StoreContext#byCaller});
   * a new instance for each call. Empty by default: calls cannot be cut off, so they are made only
   * on the manager's threads.
   */
  protected Optional<Cuttable> cuttable() {
    return Optional.empty();
  }

  /** Makes a call that other threads can cut off. */
  public interface Cuttable {

    /**
     * Makes a call on a thread that others may interrupt. An interrupt must not end the call, which
     * only {@link #cut} may do, and the flag must be kept.
     *
     * @throws WouldBlockException if the call would wait for something that cannot be cut off;
     *     nothing has been done then, and the call is made on a thread of the manager
     */
    <T> T make(Supplier<T> call);

    /** As {@link CallersCall#cut}. */
    void cut();
  }

  private <T> CompletionStage<T> runWhereAllowed(Supplier<T> call) {
    Optional<Cuttable> how = cuttable();
    if (how.isPresent()) {
      ByCaller<T> mine = new ByCaller<>(how.get(), call);
      if (Objects.requireNonNull(context, "not started").byCaller(mine)) {
        return mine.outcome;
      }
    }
    return run(call);
  }

  private final class ByCaller<T> implements CallersCall {
    final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Cuttable how;
    private final Supplier<T> call;

    ByCaller(Cuttable how, Supplier<T> call) {
      this.how = how;
      this.call = call;
    }

    @Override
    public void run() {
      T value;
      try {
        value = how.make(call);
      } catch (WouldBlockException e) {
        runElsewhere();
        return;
      } catch (RuntimeException e) {
        outcome.completeExceptionally(e);
        return;
      } catch (Error e) { // such as a stack overflow: the engine's continuation needs a fresh stack
        Objects.requireNonNull(executor).execute(() -> outcome.completeExceptionally(e));
        return;
      }
      outcome.complete(value);
    }

    @Override
    public void runElsewhere() {
      BlockingLeaseStore.this
          .run(call)
          .whenComplete(
              (value, failure) -> {
                if (failure == null) {
                  outcome.complete(value);
                } else {
                  outcome.completeExceptionally(failure);
                }
              });
    }

    @Override
    public void cut() {
      how.cut();
    }
  }

  /** Runs a call of the store on a thread that may block. */
  protected final <T> CompletionStage<T> run(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Objects.requireNonNull(executor, "not started"));
  }
}
