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

/** Redlock, or what it stands on, gone wrong, one fault each; {@link #NONE} is right. */
enum Mutant {
  NONE(EnumSet.noneOf(Promise.class)),
  /** A node that lost its data votes at once. */
  IMMEDIATE_RESTART(EnumSet.of(Promise.EXCLUSION)),
  /** A node that lost its data votes before the longest lease is over. */
  EARLY_RESTART(EnumSet.of(Promise.EXCLUSION)),
  /** A node's clock is stepped by more than the drift allowance. */
  CLOCK_JUMP(EnumSet.of(Promise.EXCLUSION)),
  /** A node that lost its data votes before the other nodes' clocks have got to its own. */
  WALL_CLOCKS_APART(EnumSet.of(Promise.EXCLUSION, Promise.FENCING)),
  /** Half of the nodes are enough. */
  HALF_THE_VOTES(EnumSet.of(Promise.EXCLUSION, Promise.FENCING)),
  /** The lease is counted from when the votes are there. */
  ELAPSED_IGNORED(EnumSet.of(Promise.EXCLUSION)),
  /** The lease is counted from when the second half of the round begins. */
  CLOCK_READ_LATE(EnumSet.of(Promise.EXCLUSION)),
  /** Nothing is taken off for clocks of different rates. */
  NO_DRIFT(EnumSet.of(Promise.EXCLUSION)),
  /** Nodes free the lock whoever asks. */
  UNCONDITIONAL_DELETE(EnumSet.of(Promise.EXCLUSION)),
  /** Nodes say that they have kept the largest vote, and have not. */
  NO_WRITE_BACK(EnumSet.of(Promise.FENCING)),
  /**
   * A list of nodes takes another's place while clients have either, without a majority of both.
   */
  LIST_AT_ONCE(EnumSet.of(Promise.EXCLUSION, Promise.FENCING));

  /** What a quorum promises. */
  enum Promise {
    /** No two hold the lock at one time. */
    EXCLUSION,
    /** Where two do, what the lock guards refuses the older one. */
    FENCING
  }

  /** How long a restart takes at least. */
  static final Duration RESTART = Duration.ofMillis(5);

  private final Set<Promise> broken;

  Mutant(Set<Promise> broken) {
    this.broken = broken;
  }

  /** Whether it does not keep this; what it keeps has to hold in every world. */
  boolean breaks(Promise promise) {
    return broken.contains(promise);
  }

  /** At what it has to be caught. */
  Promise caughtAt() {
    return this == WALL_CLOCKS_APART || this == NO_WRITE_BACK ? Promise.FENCING : Promise.EXCLUSION;
  }

  /** Whether it is the environment that is wrong: what the fault model rules out. */
  boolean isOutside() {
    return switch (this) {
      case IMMEDIATE_RESTART, EARLY_RESTART, CLOCK_JUMP, WALL_CLOCKS_APART -> true;
      default -> false;
    };
  }

  /** When a node that lost its data is let in by hand; empty if its guard decides. */
  Optional<Duration> votesIn(Duration lease) {
    return switch (this) {
      case IMMEDIATE_RESTART, WALL_CLOCKS_APART -> Optional.of(Duration.ZERO);
      case EARLY_RESTART -> Optional.of(lease.dividedBy(4));
      default -> Optional.empty();
    };
  }

  /**
   * By how much the nodes' wall clocks may be apart when the world begins. A node that lost its
   * data has only its clock to know which tokens were given: these grow over its restart if clocks
   * are less apart than the restart takes.
   */
  Duration clocksApart(Duration lease, Duration longestLease) {
    return this == WALL_CLOCKS_APART
        ? Duration.ofSeconds(10)
        : RESTART.plus(votesIn(lease).orElse(longestLease)).dividedBy(2);
  }

  /** By how many parts per million a clock may run faster or slower than the world's. */
  int mostDrift() {
    return switch (this) {
      // While a world is busy, they come apart by less than half of what a restart takes.
      case IMMEDIATE_RESTART, EARLY_RESTART, WALL_CLOCKS_APART -> 50;
      // Two may differ by a hundredth: each from the world's by a little less than half.
      default -> 4_900;
    };
  }

  /** What the servers run instead of a script. */
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
                  "redis.call('SET', KEYS[2], fence_text(v, r, is_marked(fence)), 'PX', 86400000)",
                  "")
              .in("raise.lua");
      default -> UnaryOperator.identity();
    };
  }

  /** What is enough. */
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

  /** Lets the engine believe in more time than there is. */
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
