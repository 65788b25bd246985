package dev.leasehold.lock.spi;

import dev.leasehold.lock.spi.BlockingLeaseStore.Cuttable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a store on a blocking client: where they run, and in which order. A store that is a
 * {@link BlockingLeaseStore} has one already. Thread-safe.
 */
public final class BlockingCalls {
  private final StoreContext context;
  private final Supplier<Optional<Cuttable>> cuttable;

  /** The latest running or queued call of each token; it may outlast its time-out. */
  private final ConcurrentHashMap<String, CompletableFuture<Void>> latest =
      new ConcurrentHashMap<>();

  /**
   * Held while a call for several tokens is queued, so that two such calls cannot wait for each
   * other.
   */
  private final ReentrantLock linesUp = new ReentrantLock();

  /**
   * For one store and its views.
   *
   * @param cuttable as {@link BlockingLeaseStore#cuttable}
   */
  public BlockingCalls(StoreContext context, Supplier<Optional<Cuttable>> cuttable) {
    this.context = context;
    this.cuttable = cuttable;
  }

  /**
   * Runs a call after all earlier calls for the same token have finished, including cancelled ones:
   * a release never overtakes an acquisition that still hangs. A call cancelled before its turn is
   * not run.
   */
  public <T> CompletionStage<T> inTurn(LeaseKey key, Supplier<T> call) {
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
  public <T> CompletionStage<T> inTurn(List<LeaseKey> leases, Supplier<T> call) {
    if (leases.size() == 1) {
      return inTurn(leases.get(0), call);
    }
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

  private <T> CompletionStage<T> runWhereAllowed(Supplier<T> call) {
    Optional<Cuttable> how = cuttable.get();
    if (how.isPresent()) {
      ByCaller<T> mine = new ByCaller<>(how.get(), call);
      if (context.byCaller(mine)) {
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
        context.blockingExecutor().execute(() -> outcome.completeExceptionally(e));
        return;
      }
      outcome.complete(value);
    }

    @Override
    public void runElsewhere() {
      BlockingCalls.this
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

  /** Runs a call on a thread that may block. */
  public <T> CompletionStage<T> run(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, context.blockingExecutor());
  }
}
