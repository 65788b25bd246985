package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases that go back to the store by one call. Each is released through its cell as any other:
 * there it is decided whether it goes back at all, and what its answer means. What needs more than
 * its key told, or still has another operation under way, goes by itself.
 *
 * <p>One thread's: what another one releases meanwhile goes by itself as well.
 */
public final class CombinedRelease implements ReleaseStrategy {
  private final StoreOperations operations;
  private final MultiLockStore store;
  private final Thread thread = Thread.currentThread();
  private final List<LeaseKey> keys = new ArrayList<>();
  private final List<CompletableFuture<ReleaseResult>> answers = new ArrayList<>();

  /** Whether what has come together counts as under way, so that a close waits for the call. */
  private boolean counted;

  private boolean gone;

  public CombinedRelease(StoreOperations operations, MultiLockStore store) {
    this.operations = operations;
    this.store = store;
  }

  @Override
  public Supplier<CompletableFuture<ReleaseResult>> giving(Returnable lease) {
    CompletableFuture<ReleaseResult> answer = new CompletableFuture<>();
    if (Thread.currentThread() != thread
        || gone
        || !isCounted()
        || !lease.claimsPlainRelease(answer)) {
      return lease::release;
    }
    keys.add(lease.key());
    answers.add(answer);
    return () -> answer;
  }

  private boolean isCounted() {
    counted = counted || operations.calls().inFlight().begin();
    return counted;
  }

  /**
   * Gives back what has come together.
   *
   * @param caller whose thread may make the call to the store; null if none may
   */
  public void go(@Nullable CallerThread caller) {
    gone = true;
    try {
      send(caller);
    } finally {
      if (counted) {
        operations.calls().inFlight().end(); // by now the call counts
      }
    }
  }

  private void send(@Nullable CallerThread caller) {
    if (keys.size() == 1) {
      CallerThread.offering(caller, () -> operations.release(keys.get(0), Duration.ZERO))
          .whenComplete((result, failure) -> answered(Collections.singletonList(result), failure));
    } else if (!keys.isEmpty()) {
      CallerThread.offering(
              caller,
              () -> operations.send(keys.get(0).name(), "release", () -> store.releaseAll(keys)))
          .whenComplete(this::answered);
    }
  }

  private void answered(@Nullable List<ReleaseResult> results, @Nullable Throwable failed) {
    Throwable failure =
        failed != null || (results != null && results.size() == answers.size())
            ? failed
            : StoreCalls.noAnswer();
    for (int i = 0; i < answers.size(); i++) {
      if (failure == null && results != null) {
        answers.get(i).complete(results.get(i));
      } else {
        answers.get(i).completeExceptionally(failure);
      }
    }
  }
}
