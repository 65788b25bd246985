package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the parts of one manager share. */
record Env(
    LeaseStore store,
    StoreCalls calls,
    Renewals renewals,
    Events events,
    Outbox outbox,
    InFlight inFlight,
    Ticker ticker,
    Scheduler scheduler,
    Executor executor,
    CallerRuns callerRuns,
    RandomGenerator random,
    Tokens tokens,
    Duration commandTimeout,
    Duration storeTimeout,
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

  /** Runs a task later on the executor: the timer thread itself does nothing that may take long. */
  Scheduler.Scheduled later(Duration delay, Runnable task) {
    return scheduler.schedule(delay, () -> executor.execute(task));
  }

  /** A pause of up to a tenth more, so that contenders don't march in step. */
  Duration jittered(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(nanos + (long) (nanos * 0.1 * random.nextDouble()));
  }
}
