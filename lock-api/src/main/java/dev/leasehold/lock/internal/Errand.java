package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A way for a lease to go back to the store, if one thread has it with it. */
interface Errand {

  /**
   * How a lease that nobody holds any more is given back. Under its cell's mutex; what is returned
   * is called once, when that is free.
   */
  Supplier<CompletableFuture<ReleaseResult>> giving(RemoteLease lease);
}
