package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.hold.Holds;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Releases some of a lease's permits on the store, while the lease keeps the others. Guarded by the
 * name's mutex.
 */
final class PartialRelease {
  private final Monitor monitor;
  private final Holds holds;
  private final PermitStore store;
  private final HoldEntry entry;
  private final int permits;
  private final CompletableFuture<Void> result = new CompletableFuture<>();

  PartialRelease(Monitor monitor, Holds holds, PermitStore store, HoldEntry entry, int permits) {
    this.monitor = monitor;
    this.holds = holds;
    this.store = store;
    this.entry = entry;
    this.permits = permits;
  }

  CompletableFuture<Void> begin() {
    if (!entry.isValid()) {
      monitor.after(() -> result.completeExceptionally(new LeaseLostException(whyInvalid())));
      return result;
    }
    RemoteLease lease = entry.hold.remote;
    int held = lease.permits();
    if (permits > held) {
      monitor.after(() -> result.completeExceptionally(tooMany(monitor, permits, held)));
      return result;
    }
    if (permits == held) {
      return holds.release(entry, null);
    }
    lease.keepPermits(held - permits); // first: another partial release may come meanwhile
    monitor.after(() -> monitor.onAnswer(lease.shrink(store), this::ended));
    return result;
  }

  private LeaseLoss whyInvalid() {
    return monitor.computed(() -> holds.whyInvalid(entry));
  }

  static IllegalArgumentException tooMany(Monitor monitor, int permits, int held) {
    return new IllegalArgumentException(
        permits
            + " permits to release of a lease of "
            + monitor.kind().named(monitor.name())
            + ", which holds "
            + held
            + ": allowed are 1 to "
            + held);
  }

  private void ended(@Nullable ReleaseResult answer, @Nullable LockException failure) {
    if (failure != null) {
      if (!(failure instanceof LockConfigurationException)) {
        monitor.troubled(failure, monitor.now());
      } else { // nothing was changed
        RemoteLease lease = entry.hold.remote;
        lease.keepPermits(lease.permits() + permits);
      }
      monitor.after(() -> result.completeExceptionally(failure));
      return;
    }
    monitor.answered();
    if (answer == ReleaseResult.NOT_OWNER && entry.hold.isHeld()) {
      holds.lose(
          entry.hold, Reason.NOT_OWNER, "the store no longer had it when permits were released");
    }
    monitor.after(
        () -> {
          if (answer == ReleaseResult.NOT_OWNER) {
            result.completeExceptionally(new LeaseLostException(whyInvalid()));
          } else {
            result.complete(null);
          }
        });
  }
}
