package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether other managers want the lease of a token: it listens for their recalls, from before the
 * request for the lease until the lease ends. Guarded by the name's mutex.
 */
public final class Recall {
  private final Monitor monitor;
  private final Lingering lingering;
  private final LeaseKey key;
  private @Nullable RemoteLease lease;
  private @Nullable Watch watch;

  /** Whether its token was recalled, perhaps before the grant, or before another grant of it. */
  private boolean wanted;

  private boolean ended;

  /** Until when the lease may pass from holder to holder, and be kept in between. */
  private long runsUntil;

  private Recall(Monitor monitor, Lingering lingering, LeaseKey key) {
    this.monitor = monitor;
    this.lingering = lingering;
    this.key = key;
  }

  /** Begins to listen for a token that is about to be used. */
  public static Recall of(
      Monitor monitor, StoreOperations store, Lingering lingering, LeaseKey fresh) {
    Recall recall = new Recall(monitor, lingering, lingering.store().recallable(fresh));
    monitor.after(() -> recall.listen(store));
    return recall;
  }

  /** Returns the key to ask with. */
  public LeaseKey key() {
    return key;
  }

  private void listen(StoreOperations store) {
    Runnable recalled = () -> monitor.locked(this::recalled);
    monitor.onAnswer(
        store.onRecall(key, lingering.store(), recalled), (begun, failure) -> listens(begun));
  }

  private void listens(@Nullable Watch begun) {
    if (begun != null && ended) {
      monitor.after(begun::close);
    } else {
      watch = begun; // if null, the lease is never kept
    }
  }

  private void recalled() {
    wanted = true;
    if (lease != null) {
      lease.holders.recalled(lease);
    }
  }

  /** Relates it to the lease that was granted. Returns whether another manager wants it. */
  boolean granted(RemoteLease granted, Granted answer, LockOptions options) {
    lease = granted;
    Duration within = options.handOver().within();
    Duration longer = within.compareTo(lingering.time()) > 0 ? within : lingering.time();
    runsUntil = granted.grantedAt + longer.toNanos();
    return wanted || answer.wanted();
  }

  /**
   * Returns whether a lease that no other manager wants may have further holds without a store
   * call, since a recall by another manager would arrive. Only for a limited time: a recall may be
   * lost, and waiters of older versions send none.
   */
  boolean allowsMore() {
    return watch != null && runsUntil - monitor.now() > 0;
  }

  /** Returns until when the lease may be kept without a holder; empty if not at all. */
  public OptionalLong keptUntil() {
    long until = monitor.now() + lingering.time().toNanos();
    return allowsMore()
        ? OptionalLong.of(runsUntil - until < 0 ? runsUntil : until)
        : OptionalLong.empty();
  }

  /** Stops listening. */
  public void end() {
    ended = true;
    lease = null;
    Watch open = watch;
    if (open != null) {
      watch = null;
      monitor.after(open::close);
    }
  }
}
