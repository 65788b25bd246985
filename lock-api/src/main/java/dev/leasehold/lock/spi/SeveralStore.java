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
 * A store that can take locks of several names in one step: all or none, by one round trip; and
 * give them back by one. It declares {@link Guarantee#TOGETHER} where it can for any names.
 */
public interface SeveralStore extends LeaseStore {

  /** Whether it can for these names, which differ. Without a call, and always the same. */
  boolean takesTogether(List<String> names);

  /**
   * Takes all of these locks if all are free, and else none. Each is then a lease of its own, which
   * is renewed and released as any other. A lock that already carries its request's token counts as
   * free, and its time to live is never shortened.
   *
   * <p>All get one fence, larger than every number that the store gave for any of the names; also
   * those {@code beside}, whose tokens must hold their locks. It has no numbers after it. A
   * repeated request whose tokens hold everything gets the last number that was given, or a larger
   * one.
   *
   * @param requests 1 to 100, of different names, with one time to live. They do not wait: a
   *     refused one writes nothing
   * @param beside leases of other names that their holder has already, with no numbers left
   */
  CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside);

  /**
   * Gives leases back: each as {@link #release(LeaseKey)} does, whatever becomes of the others.
   *
   * <p>By default each is released by itself, side by side. A store that {@linkplain #takesTogether
   * takes} such names by one round trip should give them back by one.
   *
   * @param leases 1 to 100, of different names that it takes together, with no numbers left
   * @return what became of each, in their order. It fails if that is not known of all of them: some
   *     may have been released, and the engine releases each once more by itself
   */
  default CompletionStage<List<ReleaseResult>> releaseAll(List<LeaseKey> leases) {
    List<CompletableFuture<ReleaseResult>> each =
        leases.stream().map(lease -> release(lease).toCompletableFuture()).toList();
    CompletableFuture<List<ReleaseResult>> all =
        CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
            .thenApply(done -> each.stream().map(CompletableFuture::join).toList());
    all.whenComplete(
        (results, failure) -> {
          if (all.isCancelled()) { // it took too long: what is under way is withdrawn
            each.forEach(one -> one.cancel(true));
          }
        });
    return all;
  }

  /** What the store answers. */
  sealed interface Answer {

    /**
     * All tokens hold their locks.
     *
     * @param fence as in {@link AcquireResult.Granted}
     * @param ttl as there
     */
    record Granted(OptionalLong fence, Duration ttl) implements Answer {
      @Override
      public String toString() {
        return Quoted.record("Granted", "fence", fence, "ttl", ttl);
      }
    }

    /**
     * Nothing was taken.
     *
     * @param held which are held by others, by their places among the requests, followed by those
     *     {@code beside}, which are not held by their tokens any more; not empty
     */
    record Refused(Map<Integer, Held> held) implements Answer {
      /** As told. */
      public Refused {
        held = Map.copyOf(held);
      }
    }
  }
}
