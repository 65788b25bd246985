package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** What the parts of one manager share. */
record Env(
    LeaseStore store,
    StoreCalls calls,
    BackgroundReleases releases,
    Renewals renewals,
    Events events,
    EngineLog log,
    Outbox outbox,
    InFlight inFlight,
    Reclaimer reclaimer,
    AtomicBoolean closing,
    Ticker ticker,
    Threads threads,
    RandomGenerator random,
    Tokens tokens,
    Duration commandTimeout,
    Duration storeTimeout,
    AbandonedHolds abandoned,
    boolean recordsAcquisitions,
    Set<Guarantee> guarantees) {

  long now() {
    return ticker.nanos();
  }

  Duration since(long instant) {
    return Duration.ofNanos(now() - instant);
  }

  boolean promises(Guarantee guarantee) {
    return guarantees.contains(guarantee);
  }

  /** Timers whose tasks run on their own thread. */
  Scheduler timers() {
    return threads.timers;
  }

  /** Runs a task later, on a thread of the engine: the timers' own does nothing but decide. */
  Scheduler.Scheduled later(Duration delay, Runnable task) {
    return threads.scheduler.schedule(delay, task);
  }

  /**
   * A pause from half of it to one and a half of it, for those who poll: the shortest is too short
   * for a tenth to part contenders, and a quorum's votes would be split again and again.
   */
  Duration spread(Duration pause) {
    return Duration.ofNanos((long) (pause.toNanos() * (0.5 + random.nextDouble())));
  }

  /** A pause of up to a tenth more, so that contenders don't march in step. */
  Duration jittered(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(nanos + (long) (nanos * 0.1 * random.nextDouble()));
  }
}
