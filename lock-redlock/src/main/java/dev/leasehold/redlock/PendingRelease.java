package dev.leasehold.redlock;

import java.util.concurrent.CompletableFuture;

/**
 * A release that a node has not confirmed. It is dropped when the lease has surely ended, unless
 * the node did not answer the acquisition: it may still grant it when it recovers.
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
