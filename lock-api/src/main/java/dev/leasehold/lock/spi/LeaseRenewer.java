package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Decides when leases are renewed and which go into one batch. The engine sends the batches, moves
 * deadlines, and tells losses, so that no renewer can break the rules of a lease.
 *
 * <p>The default, the watchdog, renews at a third of the lease with jitter, batches what is due,
 * and tries again sooner after a failure. Replace it by {@link
 * dev.leasehold.lock.LockManager.Builder#renewer} or {@link java.util.ServiceLoader}; a renewer
 * serves one manager. Thread-safe; no method may block.
 */
public interface LeaseRenewer extends AutoCloseable {

  /** Called once by the manager before any other method. */
  void start(Context context);

  /** Keep this lease alive from now on. */
  void add(RenewableLease lease);

  /** Stop: it was released or lost. A renewal that still comes is not sent. */
  void remove(RenewableLease lease);

  /** Stop all. */
  @Override
  void close();

  /** A lease to keep alive. Compared by identity. */
  interface RenewableLease {
    /** Name of the lock. */
    String lockName();

    /** How long it lasts when renewed. */
    Duration lease();

    /** Time to its deadline. */
    Duration remaining();
  }

  /** What became of a renewal. */
  enum Outcome {
    /** The deadline has moved. */
    RENEWED,
    /** The store failed or did not answer; the deadline has not moved. Worth another try. */
    FAILED,
    /** It was released or lost, before or by this renewal. */
    ENDED
  }

  /** What the engine lends to its renewer. Thread-safe. */
  interface Context {
    /** Sends one batch; a stage for each lease, in their order, that never fails. */
    List<CompletionStage<Outcome>> renew(List<RenewableLease> batch);

    /** The manager's monotonic clock. */
    Ticker ticker();

    /** The manager's timers. */
    Scheduler scheduler();

    /** Source of jitter. */
    RandomGenerator random();
  }
}
