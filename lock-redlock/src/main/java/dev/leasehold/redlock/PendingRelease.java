package dev.leasehold.redlock;

import java.util.concurrent.CompletableFuture;

/**
 * A release that a node has not confirmed. A lease that ended long ago needs none, unless the node
 * was silent when it was asked to take it: it may do so when it goes on.
 */
record PendingRelease(Ballot ballot) implements PendingCalls.Pending {

  @Override
  public CompletableFuture<?> send(Member node) {
    return ballot.release(node);
  }

  @Override
  public boolean hasExpired(Member node) {
    return ballot.hasExpired(node);
  }

  @Override
  public void isEven(Member node) {
    ballot.isEven(node);
  }
}
