package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import java.util.concurrent.CompletableFuture;

/** How an attempt asks the store: by itself, or together with those of other names. */
public interface RequestSender {
  CompletableFuture<AcquireResult> acquire(AcquireRequest request);

  /** Whether it may be asked more than once. */
  default boolean mayAskAgain() {
    return true;
  }
}
