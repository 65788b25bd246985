package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.LeaseRenewer;

/** Throws whatever is asked of it. */
final class BrokenRenewer implements LeaseRenewer {
  private final Throwable failure;

  BrokenRenewer(Throwable failure) {
    this.failure = failure;
  }

  private RuntimeException thrown() {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  @Override
  public void start(Context context) {
    throw thrown();
  }

  @Override
  public void add(RenewableLease lease) {
    throw thrown();
  }

  @Override
  public void remove(RenewableLease lease) {
    throw thrown();
  }

  @Override
  public void close() {
    throw thrown();
  }
}
