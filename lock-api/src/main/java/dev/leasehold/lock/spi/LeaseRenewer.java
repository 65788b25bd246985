package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Decides when leases are renewed and which go into one batch. The engine sends the batches, moves
 * deadlines and signals losses, so a renewer cannot violate the rules of a lease.
 *
 * <p>The default, the watchdog, renews at a third of the lease with jitter, batches leases that are
 * due, and retries sooner after a failure. Replace it through {@link
 * dev.leasehold.lock.LockManager.Builder#renewer} or {@link java.util.ServiceLoader}; a renewer
 * serves one manager. Thread-safe; no method may block.
 */
public interface LeaseRenewer extends AutoCloseable {

  /** Called once by the manager before any other method. */
  void start(Context context);

  /** Renews this lease from now on. */
  void add(RenewableLease lease);

  /**
   * Stops renewing a lease that was released or lost. The engine does not send later renewals of
   * it.
   */
  void remove(RenewableLease lease);

  /** Stops renewing all leases. */
  @Override
  void close();

  /** A lease to be renewed. Compared by identity. */
  interface RenewableLease {
    /** Name of the lock. */
    String lockName();

    /** The lease time that a renewal requests. */
    Duration lease();

    /** Time to the deadline. */
    Duration remaining();
  }

  /** The outcome of a renewal. */
  enum Outcome {
    /** The deadline has moved. */
    RENEWED,
    /** The store failed or did not answer; the deadline has not moved. Worth retrying. */
    FAILED,
    /** The lease was released or lost before this renewal, or found lost by it. */
    ENDED
  }

  /** Services of the engine for its renewer. Thread-safe. */
  interface Context {
    /** Sends one batch; returns a stage for each lease, in order. The stages never fail. */
    List<CompletionStage<Outcome>> renew(List<RenewableLease> batch);

    /** The manager's monotonic clock. */
    Ticker ticker();

    /** The manager's timers. */
    Scheduler scheduler();

    /** Source of jitter. */
    RandomGenerator random();
  }
}
