package dev.leasehold.lock.internal;

import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives some of a lease's permits back to the store while the lease keeps the others. Guarded by
 * the cell's mutex.
 */
final class PartialRelease {
  private final LockCell cell;
  private final Timing time;
  private final PermitStore store;
  private final Entry entry;
  private final int permits;
  private final CompletableFuture<Void> result = new CompletableFuture<>();

  PartialRelease(LockCell cell, Timing time, PermitStore store, Entry entry, int permits) {
    this.cell = cell;
    this.time = time;
    this.store = store;
    this.entry = entry;
    this.permits = permits;
  }

  CompletableFuture<Void> begin() {
    if (!entry.isValid()) {
      cell.after(
          () ->
              result.completeExceptionally(
                  new LeaseLostException(cell.holdCalls().whyInvalid(entry))));
      return result;
    }
    RemoteLease lease = entry.hold.remote;
    int held = lease.permits();
    if (permits > held) {
      cell.after(() -> result.completeExceptionally(tooMany(cell, permits, held)));
      return result;
    }
    if (permits == held) {
      return cell.holds().release(entry);
    }
    lease.keepPermits(held - permits); // first: another partial release may be asked for meanwhile
    cell.after(() -> cell.onAnswer(lease.shrink(store), this::ended));
    return result;
  }

  static IllegalArgumentException tooMany(LockCell cell, int permits, int held) {
    return new IllegalArgumentException(
        permits
            + " permits given back by a lease of "
            + cell.kind().named(cell.name())
            + ", which holds "
            + held
            + ": 1 to "
            + held
            + " may be");
  }

  private void ended(@Nullable ReleaseResult answer, @Nullable LockException failure) {
    if (failure != null) {
      if (!(failure instanceof LockConfigurationException)) {
        cell.store().troubled(failure, time.now());
      } else { // nothing was changed
        RemoteLease lease = entry.hold.remote;
        lease.keepPermits(lease.permits() + permits);
      }
      cell.after(() -> result.completeExceptionally(failure));
      return;
    }
    cell.store().answered();
    if (answer == ReleaseResult.NOT_OWNER && entry.hold.isHeld()) {
      cell.holds()
          .lose(entry.hold, Reason.NOT_OWNER, "the store no longer knew it when permits came back");
    }
    cell.after(
        () -> {
          if (answer == ReleaseResult.NOT_OWNER) {
            result.completeExceptionally(
                new LeaseLostException(cell.holdCalls().whyInvalid(entry)));
          } else {
            result.complete(null);
          }
        });
  }
}
