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
 * A store on a client that blocks. Implement the {@code ...Now} methods; they are called where
 * blocking is allowed, never on a virtual thread, and may throw {@link
 * dev.leasehold.lock.LockStoreException}. That is on threads of the manager; and, where a store has
 * {@link #cuttable} calls, also on the thread of a blocking lock operation that waits for the call.
 */
public abstract class BlockingLeaseStore implements LeaseStore {
  private @Nullable Executor executor;
  private @Nullable StoreContext context;

  /** The call of each token that is on a thread, or waits for one; it may outlast its time-out. */
  private final ConcurrentHashMap<String, CompletableFuture<Void>> latest =
      new ConcurrentHashMap<>();

  /** Held while a call of several tokens gets in line, or two might wait for each other. */
  private final ReentrantLock linesUp = new ReentrantLock();

  /** For subclasses. */
  protected BlockingLeaseStore() {}

  /** {@inheritDoc} An override must call it. */
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
   * As {@link LeaseStore#release(LeaseKey, FenceRun)}; blocks. By default nothing is given back.
   */
  protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return releaseNow(lease);
  }

  /** As {@link LeaseStore#inspect}; blocks. */
  protected abstract Optional<StoredLease> inspectNow(String name);

  /** As {@link LeaseStore#leave}; blocks. By default there is no line to leave. */
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
   * Runs a call after those before it on the same token are over, also those that were given up: a
   * release never overtakes an acquisition that still hangs. Given up before its turn, it is not
   * run.
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
   * Runs a call for several leases: after those before it on any of their tokens are over, and
   * before those that come afterwards. Given up before its turn, it is not run. For stores that
   * take several locks in one step ({@link SeveralStore}).
   */
  protected final <T> CompletionStage<T> inTurn(List<LeaseKey> leases, Supplier<T> call) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Set<CompletableFuture<Void>> before = new HashSet<>();
    linesUp.lock();
    try {
      for (LeaseKey lease : leases) {
        CompletableFuture<Void> earlier = latest.put(lease.token(), over);
        if (earlier != null && earlier != over) { // not its own, of a token that is there twice
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
   * How a call can be made on the thread of a lock operation's caller ({@link
   * StoreContext#byCaller}); a new one for each. By default none: calls can't be cut off, so they
   * are made on the manager's threads only.
   */
  protected Optional<Cuttable> cuttable() {
    return Optional.empty();
  }

  /** A call that others can cut off. */
  public interface Cuttable {

    /**
     * Makes a call, on a thread that others may interrupt. It must leave the interrupt to the
     * thread: neither end by it, which only {@link #cut} is to do, nor clear the flag.
     *
     * @throws NotHereException if it would wait for what can't be cut off; then nothing has been
     *     done, and it is made on a thread of the manager
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
      } catch (NotHereException e) {
        runElsewhere();
        return;
      } catch (RuntimeException e) {
        outcome.completeExceptionally(e);
        return;
      } catch (Error e) { // a stack that is used up, say: the engine's turn needs one that is not
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

  /** Runs a call of the store where blocking is allowed. */
  protected final <T> CompletionStage<T> run(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Objects.requireNonNull(executor, "not started"));
  }
}
