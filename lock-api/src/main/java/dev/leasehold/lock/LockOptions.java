package dev.leasehold.lock;

import dev.leasehold.lock.internal.config.EngineSettings;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How an acquisition leases, waits and hands over. Immutable and thread-safe.
 *
 * <p>Default: a lease of 30 s that is renewed automatically, as users of Redisson expect.
 */
public final class LockOptions {
  /** Shortest lease: below it, the drift allowance and a round trip leave nothing to hold. */
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

  /** The defaults with a fixed lease: it ends at its deadline, and is never prolonged silently. */
  public static LockOptions fixed(Duration lease) {
    return builder().fixedLease(lease).build();
  }

  /**
   * Options as settings say: {@code lock.lease}, {@code lock.at-least}, {@code lock.renewal},
   * {@code lock.wait.*} and {@code lock.hand-over.*}, what is not set at its default.
   *
   * @throws LockConfigurationException if one is wrong
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

  /** How long the lock stays taken if nothing is heard of its holder. */
  public Duration lease() {
    return lease;
  }

  /**
   * How long the lock stays taken from the grant on, also if it is released before; zero if not.
   */
  public Duration atLeast() {
    return atLeast;
  }

  /** Whether the lease is kept alive. */
  public Renewal renewal() {
    return renewal;
  }

  /** How a waiter asks again. */
  public WaitStrategy waitStrategy() {
    return waitStrategy;
  }

  /** The bound of hand-overs within the process. */
  public HandOver handOver() {
    return handOver;
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
     * A lease of this length that ends by itself. Range and errors as {@link #automaticLease}.
     *
     * @throws IllegalArgumentException if out of range
     */
    public Builder fixedLease(Duration lease) {
      this.lease = checkLease(lease);
      this.renewal = Renewal.FIXED;
      return this;
    }

    /**
     * A minimum hold: the lock stays taken for this long from the grant on, also if it is released
     * before, or if its holder dies. For jobs that run once at each of their times on several
     * machines: longer than their clocks are apart, shorter than the time to the next.
     *
     * <p>The lease itself ends at its release all the same. What stays on the store is nobody's:
     * until its time is over all are refused, the same owner included, and nothing of this process
     * is needed for it. Closing the manager does not end it. Of nested acquisitions the outermost
     * one's counts. It is independent of the lease's length: a lease may be shorter, and end with a
     * loss while the lock stays taken.
     *
     * <p>A manager that does not promise {@link Guarantee#MINIMUM_HOLD} refuses such options, and a
     * quorum those above its {@code lock.redlock.longest-lease}.
     *
     * @param atLeast zero, for none, to {@link #LONGEST_LEASE}
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

    /** How a waiter asks again. */
    public Builder waitStrategy(WaitStrategy waitStrategy) {
      this.waitStrategy = Objects.requireNonNull(waitStrategy, "waitStrategy");
      return this;
    }

    /** The bound of hand-overs within the process. */
    public Builder handOver(HandOver handOver) {
      this.handOver = Objects.requireNonNull(handOver, "handOver");
      return this;
    }

    /** Copies what is set so far. */
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
