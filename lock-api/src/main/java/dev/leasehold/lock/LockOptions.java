package dev.leasehold.lock;

import dev.leasehold.lock.internal.config.EngineSettings;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Options of an acquisition: its lease, waiting and hand-over. Immutable and thread-safe.
 *
 * <p>The default is a lease of 30 s with automatic renewal, as users of Redisson expect.
 */
public final class LockOptions {
  /** Shortest lease: below it, the drift allowance and a round trip leave no usable time. */
  public static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

  /** Longest lease. */
  public static final Duration LONGEST_LEASE = Duration.ofDays(365);

  private static final LockOptions DEFAULTS = builder().build();

  private final Duration lease;
  private final Duration atLeast;
  private final Renewal renewal;
  private final WaitStrategy waitStrategy;
  private final HandOver handOver;

  private LockOptions(Builder b) {
    lease = b.lease;
    atLeast = b.atLeast;
    renewal = b.renewal;
    waitStrategy = b.waitStrategy;
    handOver = b.handOver;
  }

  /** The defaults named above. */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The defaults with a fixed lease, which ends at its deadline and is never renewed automatically.
   */
  public static LockOptions fixed(Duration lease) {
    return builder().fixedLease(lease).build();
  }

  /**
   * Options from the settings {@code lock.lease}, {@code lock.at-least}, {@code lock.renewal},
   * {@code lock.wait.*} and {@code lock.hand-over.*}; settings that are absent have their defaults.
   *
   * @throws LockConfigurationException if a value is wrong
   */
  public static LockOptions from(LockSettings settings) {
    return EngineSettings.options(settings);
  }

  /** The settings that {@link #from} reads. */
  public static List<Setting<?>> settings() {
    return EngineSettings.ofOptions();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts from these options. */
  public Builder toBuilder() {
    Builder b = new Builder();
    b.lease = lease;
    b.atLeast = atLeast;
    b.renewal = renewal;
    b.waitStrategy = waitStrategy;
    b.handOver = handOver;
    return b;
  }

  /** How long the lock stays taken without a renewal from its holder. */
  public Duration lease() {
    return lease;
  }

  /**
   * The minimum hold: how long the lock stays taken from the grant on, even if released earlier;
   * zero for none.
   */
  public Duration atLeast() {
    return atLeast;
  }

  /** Whether the lease is renewed automatically. */
  public Renewal renewal() {
    return renewal;
  }

  /** How often a waiter asks the store again. */
  public WaitStrategy waitStrategy() {
    return waitStrategy;
  }

  /** The bound on hand-overs within the process. */
  public HandOver handOver() {
    return handOver;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof LockOptions that
            && lease.equals(that.lease)
            && atLeast.equals(that.atLeast)
            && renewal == that.renewal
            && waitStrategy.equals(that.waitStrategy)
            && handOver.equals(that.handOver));
  }

  @Override
  public int hashCode() {
    return Objects.hash(lease, atLeast, renewal, waitStrategy, handOver);
  }

  @Override
  public String toString() {
    return "LockOptions["
        + renewal
        + " lease "
        + Setting.written(lease)
        + (atLeast.isZero() ? "" : ", at least " + Setting.written(atLeast))
        + ", "
        + waitStrategy
        + ", "
        + handOver
        + "]";
  }

  /** Builds options; not thread-safe. */
  public static final class Builder {
    private Duration lease = Duration.ofSeconds(30);
    private Duration atLeast = Duration.ZERO;
    private Renewal renewal = Renewal.AUTOMATIC;
    private WaitStrategy waitStrategy = WaitStrategy.defaults();
    private HandOver handOver = HandOver.defaults();

    private Builder() {}

    /**
     * A lease of this length, renewed automatically at a third of it.
     *
     * @param lease {@link #SHORTEST_LEASE} to {@link #LONGEST_LEASE}
     * @throws IllegalArgumentException if out of range; the message names value and limits
     */
    public Builder automaticLease(Duration lease) {
      this.lease = checkLease(lease);
      this.renewal = Renewal.AUTOMATIC;
      return this;
    }

    /**
     * A lease of this length that is not renewed automatically.
     *
     * @param lease {@link #SHORTEST_LEASE} to {@link #LONGEST_LEASE}
     * @throws IllegalArgumentException if out of range; the message names value and limits
     */
    public Builder fixedLease(Duration lease) {
      this.lease = checkLease(lease);
      this.renewal = Renewal.FIXED;
      return this;
    }

    /**
     * A minimum hold: the lock stays taken for this long from the grant on, even if it is released
     * earlier or its holder dies. For scheduled jobs that several machines start but only one may
     * run: choose a time longer than the clock skew between machines plus any delay in starting (a
     * busy scheduler thread, a pause), and shorter than the time between runs.
     *
     * <p>The lease itself still ends at its release. The remainder on the store has no holder:
     * until it ends, every request is refused, even from the same owner. It needs nothing of this
     * process, and closing the manager does not end it. For nested acquisitions, the minimum hold
     * of the outermost applies. It is independent of the lease time: a shorter lease may be lost
     * while the lock stays taken.
     *
     * <p>A manager without {@link Guarantee#MINIMUM_HOLD} refuses such options, and a quorum
     * refuses a minimum hold above its {@code lock.redlock.longest-lease}.
     *
     * @param atLeast zero (no minimum hold) to {@link #LONGEST_LEASE}
     * @throws IllegalArgumentException if out of range; the message names value and limits
     */
    public Builder atLeast(Duration atLeast) {
      if (atLeast.isNegative() || atLeast.compareTo(LONGEST_LEASE) > 0) {
        throw new IllegalArgumentException(
            "minimum hold "
                + Setting.written(atLeast)
                + " is not between 0ms and "
                + Setting.written(LONGEST_LEASE));
      }
      this.atLeast = atLeast;
      return this;
    }

    /** How often a waiter asks the store again. */
    public Builder waitStrategy(WaitStrategy waitStrategy) {
      this.waitStrategy = Objects.requireNonNull(waitStrategy, "waitStrategy");
      return this;
    }

    /** The bound on hand-overs within the process. */
    public Builder handOver(HandOver handOver) {
      this.handOver = Objects.requireNonNull(handOver, "handOver");
      return this;
    }

    /** Builds immutable options from the current values. */
    public LockOptions build() {
      return new LockOptions(this);
    }

    private static Duration checkLease(Duration lease) {
      if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
        throw new IllegalArgumentException(
            "lease "
                + Setting.written(lease)
                + " is not between "
                + Setting.written(SHORTEST_LEASE)
                + " and "
                + Setting.written(LONGEST_LEASE));
      }
      return lease;
    }
  }
}
