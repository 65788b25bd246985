package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The engine's only source of time: the clock, timers, and the length of pauses.
 *
 * @param deadlines alarms for the ends of leases, which ring on the timers' own thread
 * @param scheduler timers whose tasks run on a worker thread
 */
public record Timing(Ticker ticker, Alarms deadlines, Scheduler scheduler, RandomGenerator random) {

  public long now() {
    return ticker.nanos();
  }

  public Duration since(long instant) {
    return Duration.ofNanos(now() - instant);
  }

  /** Runs a task later, on a thread of the engine. */
  public Scheduler.Scheduled later(Duration delay, Runnable task) {
    return scheduler.schedule(delay, task);
  }

  /**
   * Returns a pause between half of it and one and a half of it, for polling: a tenth of the
   * shortest pause would not separate contenders, and a quorum's votes would be split repeatedly.
   */
  public Duration spread(Duration pause) {
    return Duration.ofNanos((long) (pause.toNanos() * (0.5 + random.nextDouble())));
  }

  /** Returns a pause of up to a tenth more, so that contenders don't retry in step. */
  public Duration jittered(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(nanos + (long) (nanos * 0.1 * random.nextDouble()));
  }
}
