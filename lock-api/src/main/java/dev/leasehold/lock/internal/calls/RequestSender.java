package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import java.util.concurrent.CompletableFuture;

/** Sends an acquisition to the store: alone, or combined with those of other names. */
public interface RequestSender {
  CompletableFuture<AcquireResult> acquire(AcquireRequest request);

  /** Returns whether it may be sent more than once. */
  default boolean mayAskAgain() {
    return true;
  }
}
