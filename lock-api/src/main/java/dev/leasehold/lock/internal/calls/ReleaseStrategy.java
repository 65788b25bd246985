package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** How a thread releases leases to the store, if not each by a call of its own. */
public interface ReleaseStrategy {

  /**
   * Returns the release of a lease that is no longer held. Called under its name's mutex; the
   * result is called once, after that is released.
   */
  Supplier<CompletableFuture<ReleaseResult>> giving(Returnable lease);

  /** A lease, as a strategy sees it. */
  interface Returnable {
    LeaseKey key();

    /** Releases it by a call of its own. */
    CompletableFuture<ReleaseResult> release();

    /** Makes this its current operation, if its release needs no argument but its key. */
    boolean claimsPlainRelease(CompletableFuture<ReleaseResult> result);
  }
}
