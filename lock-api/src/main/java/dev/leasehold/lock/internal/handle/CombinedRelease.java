package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreContract;
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
 * Releases several leases by one call to the store. Each release goes through the state of its name
 * like any other, which decides whether the lease is released at all, and what the answer means. A
 * lease whose release needs more arguments than its key, or that has another operation under way,
 * is released separately.
 *
 * <p>Used by one thread: leases that other threads release meanwhile are released separately as
 * well.
 */
public final class CombinedRelease implements ReleaseStrategy {
  private final StoreOperations operations;
  private final MultiLockStore store;
  private final Thread thread = Thread.currentThread();
  private final List<LeaseKey> keys = new ArrayList<>();
  private final List<CompletableFuture<ReleaseResult>> answers = new ArrayList<>();

  /** Whether the collected releases count as under way, so that a close waits for the call. */
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
    counted = counted || operations.calls().lifecycle().begin();
    return counted;
  }

  /**
   * Sends the collected releases.
   *
   * @param caller whose thread may make the call to the store; null if none may
   */
  public void go(@Nullable CallerThread caller) {
    gone = true;
    try {
      send(caller);
    } finally {
      if (counted) {
        operations.calls().lifecycle().end(); // the call itself counts by now
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
        results == null || results.size() == answers.size()
            ? failed
            : StoreContract.wrongReleases(store, results.size(), answers.size());
    for (int i = 0; i < answers.size(); i++) {
      ReleaseResult result = failure == null && results != null ? results.get(i) : null;
      if (result != null) {
        answers.get(i).complete(result);
      } else {
        answers
            .get(i)
            .completeExceptionally(
                failure != null ? failure : StoreContract.noRelease(store, keys.get(i)));
      }
    }
  }
}
