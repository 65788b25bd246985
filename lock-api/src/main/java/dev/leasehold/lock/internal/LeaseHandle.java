package dev.leasehold.lock.internal;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What an acquisition returns: one handle over a hold. */
final class LeaseHandle implements Lease {
  private final Hold hold;
  private volatile boolean released;

  /** Made when first asked for; guarded by the cell. */
  private @Nullable CompletableFuture<LeaseLoss> lost;

  LeaseHandle(Hold hold) {
    this.hold = hold;
  }

  Hold hold() {
    return hold;
  }

  boolean isReleased() {
    return released;
  }

  /** Marks it released: true the first time. Guarded by the cell. */
  boolean markReleased() {
    boolean first = !released;
    released = true;
    return first;
  }

  /** The loss signal, made if {@code make} asks for it; guarded by the cell. */
  CompletableFuture<LeaseLoss> signal() {
    CompletableFuture<LeaseLoss> mine = lost;
    if (mine == null) {
      mine = new CompletableFuture<>();
      lost = mine;
    }
    return mine;
  }

  /** The loss signal, if anybody asked for it; guarded by the cell. */
  @Nullable CompletableFuture<LeaseLoss> signalIfAsked() {
    return lost;
  }

  @Override
  public String lockName() {
    return hold.cell.name();
  }

  @Override
  public long fencingToken() {
    return hold.fencingToken.orElseThrow(
        () ->
            new UnsupportedOperationException(
                "this manager does not promise FENCING: see LockManager.guarantees()"));
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(isValid() ? Math.max(0, hold.deadline() - hold.cell.now()) : 0);
  }

  @Override
  public boolean isValid() {
    return !released && hold.state() == Hold.State.HELD && hold.deadline() - hold.cell.now() > 0;
  }

  @Override
  public int holdCount() {
    return isValid() ? hold.cell.count(hold) : 0;
  }

  @Override
  public boolean extend(Duration lease) {
    LockNames.checkRange("lease", lease, Duration.ofNanos(1), LockOptions.LONGEST_LEASE);
    return Waits.join(hold.cell.extend(this, lease));
  }

  @Override
  public CompletionStage<LeaseLoss> lost() {
    return hold.cell.lossOf(this).minimalCompletionStage();
  }

  @Override
  public void ensureValid() {
    if (!isValid()) {
      throw new LeaseLostException(hold.cell.whyInvalid(this));
    }
  }

  @Override
  public void release() {
    Waits.join(hold.cell.release(this));
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    return hold.cell.onExecutor(hold.cell.release(this));
  }

  @Override
  public String toString() {
    return "Lease["
        + Quoted.name(lockName())
        + ", "
        + (isValid() ? remaining() + " left" : "not valid")
        + "]";
  }
}
