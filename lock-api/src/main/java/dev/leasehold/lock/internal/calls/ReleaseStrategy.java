package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A way for a lease to go back to the store, if one thread has it with it. */
public interface ReleaseStrategy {

  /**
   * How a lease that nobody holds any more is given back. Under its name's mutex; what is returned
   * is called once, when that is free.
   */
  Supplier<CompletableFuture<ReleaseResult>> giving(Returnable lease);

  /** A lease, as an errand sees it. */
  interface Returnable {
    LeaseKey key();

    /** Gives it back by a call of its own. */
    CompletableFuture<ReleaseResult> release();

    /** Claims the turn for a release that is told no more than its key, if that is all it needs. */
    boolean claimsPlainRelease(CompletableFuture<ReleaseResult> result);
  }
}
