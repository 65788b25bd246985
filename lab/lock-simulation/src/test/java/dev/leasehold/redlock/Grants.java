package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** Which fences each process was granted: the tokens between two are those that it handed on. */
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

  /** A process's store, which notes what it grants. */
  LeaseStore noting(String process, LeaseStore store) {
    return new StoreDelegate(store) {
      @Override
      public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        // The stage itself: a call that is given up is given up below, too.
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
