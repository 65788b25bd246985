package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The one source of time: now, later, and how long a pause is.
 *
 * @param deadlines alarms for the ends of leases, which ring on the timers' own thread
 * @param scheduler timers whose tasks run on a worker: the timers' own does nothing but decide
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
   * A pause from half of it to one and a half of it, for those who poll: the shortest is too short
   * for a tenth to part contenders, and a quorum's votes would be split again and again.
   */
  public Duration spread(Duration pause) {
    return Duration.ofNanos((long) (pause.toNanos() * (0.5 + random.nextDouble())));
  }

  /** A pause of up to a tenth more, so that contenders don't march in step. */
  public Duration jittered(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(nanos + (long) (nanos * 0.1 * random.nextDouble()));
  }
}
