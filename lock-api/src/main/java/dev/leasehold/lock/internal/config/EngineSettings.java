package dev.leasehold.lock.internal.config;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.EngineLimits;
import dev.leasehold.lock.internal.Label;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The settings that all backends have in common: those of the engine and of discovery. */
public final class EngineSettings {
  static final Setting<String> BACKEND =
      Setting.optionalText(
          "lock.backend", "Id of the backend to use where several are on the path.");
  static final Setting<Duration> LEASE =
      Setting.duration(
          "lock.lease",
          LockOptions.defaults().lease(),
          LockOptions.SHORTEST_LEASE,
          LockOptions.LONGEST_LEASE,
          "How long a lock stays held if its holder stops renewing it.");
  static final Setting<Duration> AT_LEAST =
      Setting.duration(
          "lock.at-least",
          LockOptions.defaults().atLeast(),
          Duration.ZERO,
          LockOptions.LONGEST_LEASE,
          "How long a lock stays held from its grant, even if it is released earlier.");
  static final Setting<String> RENEWAL =
      Setting.choice(
          "lock.renewal",
          "automatic",
          List.of("automatic", "fixed"),
          "Whether leases are renewed while their holder lives, or end at their deadline.");
  static final Setting<Duration> WAIT_LONGEST =
      Setting.duration(
          "lock.wait.longest",
          WaitStrategy.defaults().longest(),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "Longest pause of a waiter that the store wakes, in case the wake-up is lost; far back in"
              + " line up to 10s.");
  static final Setting<Duration> POLL_SHORTEST =
      Setting.duration(
          "lock.poll.shortest",
          WaitStrategy.defaults().shortestPoll(),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "First and shortest pause of a waiter, on a store without wake-ups.");
  static final Setting<Duration> POLL_LONGEST =
      Setting.duration(
          "lock.poll.longest",
          WaitStrategy.defaults().longestPoll(),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "Longest pause of a waiter, on a store without wake-ups; shorter while holds are short.");
  static final Setting<Integer> HAND_OVER_TIMES =
      Setting.integer(
          "lock.hand-over.times",
          HandOver.defaults().times(),
          0,
          1023,
          "How many hand-overs inside the process before other processes get their turn.");
  static final Setting<Duration> HAND_OVER_WITHIN =
      Setting.duration(
          "lock.hand-over.within",
          HandOver.defaults().within(),
          Duration.ZERO,
          Duration.ofHours(1),
          "How long after the store's grant a lock may be handed over inside the process.");
  static final Setting<Duration> LINGER =
      Setting.duration(
          "lock.linger",
          Duration.ZERO,
          Duration.ZERO,
          EngineLimits.LONGEST_LINGER,
          "How long a process keeps a released lease, to take it again without a round trip; 0 for not at all.");
  static final Setting<Duration> COMMAND_TIMEOUT =
      Setting.duration(
          "lock.command-timeout",
          EngineLimits.DEFAULT_COMMAND_TIMEOUT,
          EngineLimits.SHORTEST_TIMEOUT,
          EngineLimits.LONGEST_COMMAND_TIMEOUT,
          "How long one store call may take.");
  static final Setting<Duration> STORE_TIMEOUT =
      Setting.duration(
          "lock.store-timeout",
          EngineLimits.DEFAULT_STORE_TIMEOUT,
          EngineLimits.SHORTEST_TIMEOUT,
          EngineLimits.LONGEST_STORE_TIMEOUT,
          "How long acquire() waits for a store that fails before it throws.");
  static final Setting<Duration> CLOSE_GRACE =
      Setting.duration(
          "lock.close-grace",
          EngineLimits.DEFAULT_CLOSE_GRACE,
          Duration.ZERO,
          EngineLimits.LONGEST_CLOSE_GRACE,
          "How long closing a manager waits for holders to release.");
  static final Setting<String> ABANDONED =
      Setting.choice(
          "lock.abandoned",
          "keep",
          List.of("keep", "expire"),
          "Whether a hold that can no longer be released (its handle was garbage-collected) is still renewed, or expires.");
  static final Setting<Boolean> RECORD_ACQUISITIONS =
      Setting.flag(
          "lock.record-acquisitions",
          false,
          "Whether logs of abandoned holds, and of a close that waits, have a stack trace of the acquisition.");
  static final Setting<String> LABEL =
      Setting.optionalText(
              "lock.label",
              "The name under which holders are shown; by default host, process id and four characters.")
          .map(Label::check)
          .typed("1 to 64 characters of A-Z a-z 0-9 . _ @ -, the first no -");

  private EngineSettings() {}

  /** All of them. */
  public static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(List.of(BACKEND));
    all.addAll(ofOptions());
    all.addAll(
        List.of(
            LINGER,
            COMMAND_TIMEOUT,
            STORE_TIMEOUT,
            CLOSE_GRACE,
            ABANDONED,
            RECORD_ACQUISITIONS,
            LABEL));
    return List.copyOf(all);
  }

  /** Applies them to a builder. */
  static LockManager.Builder apply(LockSettings settings, LockManager.Builder builder) {
    settings.find(LABEL).ifPresent(builder::label);
    if (settings.get(RECORD_ACQUISITIONS)) {
      builder.recordAcquisitions();
    }
    return builder
        .defaults(options(settings))
        .abandoned(
            settings.get(ABANDONED).equals("expire") ? AbandonedHolds.EXPIRE : AbandonedHolds.KEEP)
        .linger(settings.get(LINGER))
        .commandTimeout(settings.get(COMMAND_TIMEOUT))
        .storeTimeout(settings.get(STORE_TIMEOUT))
        .closeGrace(settings.get(CLOSE_GRACE));
  }

  /** The settings of one acquisition. */
  public static List<Setting<?>> ofOptions() {
    return List.of(
        LEASE,
        AT_LEAST,
        RENEWAL,
        WAIT_LONGEST,
        POLL_SHORTEST,
        POLL_LONGEST,
        HAND_OVER_TIMES,
        HAND_OVER_WITHIN);
  }

  /**
   * Reads the settings of one acquisition.
   *
   * @throws LockConfigurationException if one is wrong, or two contradict each other
   */
  public static LockOptions options(LockSettings settings) {
    Duration lease = settings.get(LEASE);
    LockOptions.Builder options = LockOptions.builder();
    if (settings.get(RENEWAL).equals("fixed")) {
      options.fixedLease(lease);
    } else {
      options.automaticLease(lease);
    }
    return options
        .atLeast(settings.get(AT_LEAST))
        .waitStrategy(waitStrategy(settings))
        .handOver(new HandOver(settings.get(HAND_OVER_TIMES), settings.get(HAND_OVER_WITHIN)))
        .build();
  }

  /** Where the shortest pause alone is left to its default, it is no longer than the longest. */
  static WaitStrategy waitStrategy(LockSettings settings) {
    Duration longest = settings.get(POLL_LONGEST);
    Duration shortest = settings.get(POLL_SHORTEST);
    boolean crossed = shortest.compareTo(longest) > 0;
    String key = POLL_SHORTEST.key();
    if (crossed && settings.text(key).isPresent()) {
      throw new LockConfigurationException(
          key
              + " = "
              + Setting.written(shortest)
              + " ("
              + settings.origin(key)
              + ") is longer than "
              + POLL_LONGEST.key()
              + " = "
              + Setting.written(longest));
    }
    return new WaitStrategy(settings.get(WAIT_LONGEST), crossed ? longest : shortest, longest);
  }
}
