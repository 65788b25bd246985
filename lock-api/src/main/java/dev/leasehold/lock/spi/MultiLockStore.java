package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that can take locks of several names in one step, all or none, and release them in one,
 * each by one round trip. It declares {@link Guarantee#TOGETHER} if it can do so for any names.
 */
public interface MultiLockStore extends LeaseStore {

  /**
   * Whether the store can take these distinct names in one step. Makes no store call; the answer
   * never changes.
   */
  boolean takesTogether(List<String> names);

  /**
   * Takes all of these locks if all are free, otherwise none. Each is then a separate lease,
   * renewed and released like any other. A lock that already carries its request's token counts as
   * free, and its time to live is never shortened.
   *
   * <p>All get one fence, larger than every token that the store has issued for any of the names,
   * including those {@code beside}, whose tokens must hold their locks. No further tokens are
   * reserved for hand-overs. A repeated request whose tokens hold all locks gets the last token
   * issued, or a larger one.
   *
   * @param requests 1 to 100, of different names, with a common time to live. They do not wait: a
   *     refused request writes nothing
   * @param beside leases of other names that the holder already has, without unused fencing tokens
   */
  CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside);

  /**
   * Releases leases: each as {@link #release(LeaseKey)} does, regardless of the others.
   *
   * <p>By default each is released by a separate call, concurrently. A store that {@linkplain
   * #takesTogether takes} such names in one round trip should release them in one.
   *
   * @param leases 1 to 100, of different names that the store takes together, without unused
   *     fencing tokens
   * @return the result for each, in order. Fails unless all results are known: some leases may have
   *     been released, and the engine then releases each one again separately
   */
  default CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    List<CompletableFuture<ReleaseResult>> each =
        leases.stream().map(lease -> release(lease).toCompletableFuture()).toList();
    CompletableFuture<List<ReleaseResult>> all =
        CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
            .thenApply(done -> each.stream().map(CompletableFuture::join).toList());
    all.whenComplete(
        (results, failure) -> {
          if (all.isCancelled()) { // timed out: withdraw the pending calls
            each.forEach(one -> one.cancel(true));
          }
        });
    return all;
  }

  /** The store's answer. */
  sealed interface Answer {

    /**
     * All tokens hold their locks.
     *
     * @param fence as in {@link AcquireResult.Granted}
     * @param ttl as in {@link AcquireResult.Granted}
     */
    record Granted(OptionalLong fence, Duration ttl) implements Answer {}

    /**
     * Nothing was taken.
     *
     * @param held the locks held by others, by index: first the requests, then those {@code
     *     beside}, which are no longer held by their tokens; not empty
     */
    record Refused(Map<Integer, Held> held) implements Answer {
      /** Copies the map. */
      public Refused {
        held = Map.copyOf(held);
      }
    }
  }
}
