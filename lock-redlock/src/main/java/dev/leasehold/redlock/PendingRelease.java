package dev.leasehold.redlock;

import java.util.concurrent.CompletableFuture;

/**
 * A release that a node has not confirmed. It is dropped when the lease has surely ended, unless
 * the node did not answer the acquisition: it may still grant it when it recovers.
 */
record PendingRelease(TokenState tokenState) implements PendingCalls.Pending {

  @Override
  public CompletableFuture<?> send(Member node) {
    return tokenState.release(node);
  }

  @Override
  public boolean hasExpired(Member node) {
    return tokenState.hasExpired(node);
  }

  @Override
  public void isEven(Member node) {
    tokenState.isEven(node);
  }
}
