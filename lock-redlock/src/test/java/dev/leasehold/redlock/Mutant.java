package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Redlock gone wrong, one fault each; {@link #NONE} is right. */
enum Mutant {
  NONE,
  /** A node that lost its data votes at once. */
  IMMEDIATE_RESTART,
  /** A node that lost its data votes before the longest lease is over. */
  EARLY_RESTART,
  /** A node's clock is stepped by more than the drift allowance. */
  CLOCK_JUMP,
  /** Half of the nodes are enough. */
  HALF_THE_VOTES,
  /** The lease is counted from when the votes are there. */
  ELAPSED_IGNORED,
  /** The lease is counted from when the second half of the round begins. */
  CLOCK_READ_LATE,
  /** Nothing is taken off for clocks of different rates. */
  NO_DRIFT,
  /** Nodes free the lock whoever asks. */
  UNCONDITIONAL_DELETE;

  /** Whether it is the environment that is wrong, and fencing still has to hold. */
  boolean isOutside() {
    return this == IMMEDIATE_RESTART || this == EARLY_RESTART || this == CLOCK_JUMP;
  }

  /** How long a node that lost its data stays away. */
  Duration restartDelay(Duration lease) {
    return switch (this) {
      case IMMEDIATE_RESTART -> Duration.ofMillis(5);
      case EARLY_RESTART -> lease.dividedBy(2);
      // By the slowest of clocks; and what was under way before has come to an end.
      default -> lease.plus(lease.dividedBy(50)).plusMillis(1600);
    };
  }

  LeaseStore wrap(QuorumLeaseStore store) {
    return switch (this) {
      case ELAPSED_IGNORED, CLOCK_READ_LATE, NO_DRIFT -> new Generous(store, this);
      default -> store;
    };
  }

  /** Lets the engine believe in more time than there is. */
  private static final class Generous implements LeaseStore {
    private final QuorumLeaseStore store;
    private final Mutant mutant;
    private @Nullable StoreContext context;

    Generous(QuorumLeaseStore store, Mutant mutant) {
      this.store = store;
      this.mutant = mutant;
    }

    private Duration more(Duration ttl, Duration elapsed) {
      return switch (mutant) {
        case ELAPSED_IGNORED -> elapsed;
        case CLOCK_READ_LATE -> elapsed.dividedBy(2);
        default -> ttl.dividedBy(99).plusMillis(3);
      };
    }

    @Override
    public void start(StoreContext given) {
      context = given;
      store.start(given);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      long sent = context.ticker().nanos();
      return store
          .acquire(request)
          .thenApply(
              result ->
                  result instanceof AcquireResult.Granted granted
                      ? new AcquireResult.Granted(
                          granted.fence(),
                          granted
                              .ttl()
                              .plus(
                                  more(
                                      granted.ttl(),
                                      Duration.ofNanos(context.ticker().nanos() - sent))))
                      : result);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return store.renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return store.release(lease);
    }

    @Override
    public CompletionStage<?> leave(LeaseKey waiter) {
      return store.leave(waiter);
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return store.watch(waiter, wakeUp);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return store.inspect(name);
    }

    @Override
    public Set<Guarantee> guarantees() {
      return store.guarantees();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
