package dev.leasehold.lock;

import java.util.Objects;

/**
 * The lease was lost before the call: another holder may already have entered the critical section.
 */
public final class LeaseLostException extends LockException {
  private static final long serialVersionUID = 1L;
  private final LeaseLoss loss;

  /** Creates an exception for this loss. */
  public LeaseLostException(LeaseLoss loss) {
    super("lease of " + loss.kind().named(loss.lockName()) + " was lost: " + loss.detail(), null);
    this.loss = Objects.requireNonNull(loss, "loss");
  }

  /** How the lease was lost. */
  public LeaseLoss loss() {
    return loss;
  }
}
