package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.concurrent.CompletableFuture;

/** A waiter's leave that a node has not confirmed. Equal for the same waiter. */
final class PendingLeave implements PendingCalls.Pending {
  private final Quorum quorum;
  private final TokenState tokenState;
  private final LeaseKey waiter;
  private final long end;

  /** For a waiter that leaves now. */
  PendingLeave(Quorum quorum, TokenState tokenState) {
    this.quorum = quorum;
    this.tokenState = tokenState;
    this.waiter = tokenState.origin;
    this.end = quorum.now() + LeaseStore.LONGEST_PLACE.toNanos();
  }

  @Override
  public CompletableFuture<Object> send(Member node) {
    return tokenState.turns.next(
        node,
        () ->
            node.send(
                quorum.context(),
                () -> tokenState.view.of(node).leave(waiter).thenApply(done -> waiter)));
  }

  @Override
  public boolean hasExpired(Member node) {
    return end - quorum.now() <= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PendingLeave leave && waiter.equals(leave.waiter);
  }

  @Override
  public int hashCode() {
    return waiter.hashCode();
  }
}
