package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** The fences granted to each process: tokens between two of them are hand-overs. */
final class Grants {
  private final Map<List<String>, TreeSet<Long>> fences = new HashMap<>();

  void add(String process, String lock, long fence) {
    fences.computeIfAbsent(List.of(process, lock), key -> new TreeSet<>()).add(fence);
  }

  /** The fence of the grant that a hold's token comes from; -1 if there is none. */
  long of(String process, String lock, long token) {
    Long fence = fences.getOrDefault(List.of(process, lock), new TreeSet<>()).floor(token);
    return fence == null ? -1 : fence;
  }

  /** A process's store that records its grants. */
  LeaseStore noting(String process, LeaseStore store) {
    return new StoreDelegate(store) {
      @Override
      public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        // Returns the store's own stage, so that cancelling it reaches the store.
        CompletionStage<AcquireResult> asked = super.acquire(request);
        asked.whenComplete(
            (result, failure) -> {
              if (result instanceof AcquireResult.Granted granted) {
                granted.fence().ifPresent(fence -> add(process, request.key().name(), fence));
              }
            });
        return asked;
      }
    };
  }
}
