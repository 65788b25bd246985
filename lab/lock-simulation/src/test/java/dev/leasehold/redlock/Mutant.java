package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults of Redlock or its environment, one each; {@link #NONE} is correct. */
enum Mutant {
  NONE(EnumSet.noneOf(Promise.class)),
  /** A node votes immediately after losing its data. */
  IMMEDIATE_RESTART(EnumSet.of(Promise.EXCLUSION)),
  /** A node that lost its data votes before the longest lease has passed. */
  EARLY_RESTART(EnumSet.of(Promise.EXCLUSION)),
  /** A node's clock is stepped by more than the drift allowance. */
  CLOCK_JUMP(EnumSet.of(Promise.EXCLUSION)),
  /** A node that lost its data votes before the other nodes' clocks have reached its own. */
  WALL_CLOCKS_APART(EnumSet.of(Promise.EXCLUSION, Promise.FENCING)),
  /** Half of the nodes are enough. */
  HALF_THE_VOTES(EnumSet.of(Promise.EXCLUSION, Promise.FENCING)),
  /** The lease counts from the arrival of the votes. */
  ELAPSED_IGNORED(EnumSet.of(Promise.EXCLUSION)),
  /** The lease counts from the start of the second half of the round. */
  CLOCK_READ_LATE(EnumSet.of(Promise.EXCLUSION)),
  /** Nothing is deducted for clock drift. */
  NO_DRIFT(EnumSet.of(Promise.EXCLUSION)),
  /** Nodes free the lock without comparing tokens. */
  UNCONDITIONAL_DELETE(EnumSet.of(Promise.EXCLUSION)),
  /** Nodes claim to have stored the largest vote, but have not. */
  NO_WRITE_BACK(EnumSet.of(Promise.FENCING)),
  /** A list of nodes replaces another while clients use either, without a majority of both. */
  LIST_AT_ONCE(EnumSet.of(Promise.EXCLUSION, Promise.FENCING));

  /** The guarantees of a quorum. */
  enum Promise {
    /** At most one holder at a time. */
    EXCLUSION,
    /** If there are two, the guarded resource rejects the older one. */
    FENCING
  }

  /** The minimum duration of a restart. */
  static final Duration RESTART = Duration.ofMillis(5);

  private final Set<Promise> broken;

  Mutant(Set<Promise> broken) {
    this.broken = broken;
  }

  /** Whether it breaks this guarantee; the others must hold in every world. */
  boolean breaks(Promise promise) {
    return broken.contains(promise);
  }

  /** The guarantee whose violation must reveal it. */
  Promise caughtAt() {
    return this == WALL_CLOCKS_APART || this == NO_WRITE_BACK ? Promise.FENCING : Promise.EXCLUSION;
  }

  /** Whether it is a fault of the environment, excluded by the fault model. */
  boolean isOutside() {
    return switch (this) {
      case IMMEDIATE_RESTART, EARLY_RESTART, CLOCK_JUMP, WALL_CLOCKS_APART -> true;
      default -> false;
    };
  }

  /** When a node that lost its data is admitted by hand; empty if its guard decides. */
  Optional<Duration> votesIn(Duration lease) {
    return switch (this) {
      case IMMEDIATE_RESTART, WALL_CLOCKS_APART -> Optional.of(Duration.ZERO);
      case EARLY_RESTART -> Optional.of(lease.dividedBy(4));
      default -> Optional.empty();
    };
  }

  /**
   * The maximum distance of the nodes' wall clocks at the start. A node that lost its data knows
   * the tokens issued before only by its clock: tokens increase across its restart if clocks are
   * closer than the restart takes.
   */
  Duration clocksApart(Duration lease, Duration longestLease) {
    return this == WALL_CLOCKS_APART
        ? Duration.ofSeconds(10)
        : RESTART.plus(votesIn(lease).orElse(longestLease)).dividedBy(2);
  }

  /** How many parts per million a clock may run faster or slower than the world's. */
  int mostDrift() {
    return switch (this) {
      // During a busy period, clocks drift apart by less than half of the duration of a restart.
      case IMMEDIATE_RESTART, EARLY_RESTART, WALL_CLOCKS_APART -> 50;
      // Two clocks may differ by 1 %: each deviates from the world's by a little less than half of
      // that.
      default -> 4_900;
    };
  }

  /** The change to the servers' scripts. */
  UnaryOperator<String> change() {
    return switch (this) {
      case UNCONDITIONAL_DELETE ->
          ScriptChange.of("if v ~= ARGV[1] and v ~= '+' .. ARGV[1] then", "if not v then")
                  .in("release.lua")
                  .andThen(
                      ScriptChange.of(
                              "if redis.call('GET', KEYS[1]) == ARGV[1] then", "if true then")
                          .in("plain-release.lua"))
              ::apply;
      case NO_WRITE_BACK ->
          ScriptChange.of(
                  "redis.call('SET', KEYS[2], fence_text(v, r, is_marked(fence)), 'PX', fence_ttl)",
                  "")
              .in("raise.lua");
      default -> UnaryOperator.identity();
    };
  }

  /** The quorum policy. */
  QuorumPolicy policy() {
    return this == HALF_THE_VOTES
        ? nodes -> nodes.size() >= nodes.outOf() / 2
        : QuorumPolicy.majority();
  }

  LeaseStore wrap(QuorumLeaseStore store) {
    return switch (this) {
      case ELAPSED_IGNORED, CLOCK_READ_LATE, NO_DRIFT -> new Generous(store, this);
      default -> store;
    };
  }

  /** Grants the engine more time than there is. */
  private static final class Generous extends StoreDelegate {
    private final Mutant mutant;
    private @Nullable StoreContext context;

    Generous(QuorumLeaseStore store, Mutant mutant) {
      super(store);
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
      super.start(given);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      long sent = context.ticker().nanos();
      return super.acquire(request)
          .thenApply(
              result ->
                  result instanceof AcquireResult.Granted granted
                      ? new AcquireResult.Granted(
                          granted.fence(),
                          granted.handOvers(),
                          granted
                              .ttl()
                              .plus(
                                  more(
                                      granted.ttl(),
                                      Duration.ofNanos(context.ticker().nanos() - sent))))
                      : result);
    }
  }
}
