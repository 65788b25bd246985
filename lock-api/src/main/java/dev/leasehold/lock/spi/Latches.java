package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The latches of a store; the engine waits, repeats and bounds.
 *
 * <p>Contract as of {@link LeaseStore}: thread-safe, without blocking, each operation one atomic
 * step, each failure a {@link dev.leasehold.lock.LockStoreException}, and a stage that is cancelled
 * is withdrawn.
 */
public interface Latches {

  /** Most count-downs that a latch may wait for: a store remembers each of them. */
  int MOST_COUNT = 100_000;

  /** For how long a store remembers a latch that is over: longer than waiters pause. */
  Duration REMEMBERED = Duration.ofSeconds(150);

  /**
   * Opens a latch, unless one is there and not over.
   *
   * @param round name, and a token of this opening: a request that is repeated opens nothing anew
   * @param count 1 to {@link #MOST_COUNT}
   * @param keepFor in whole milliseconds, at least one
   * @return whether this round is the latch that is there
   */
  CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor);

  /**
   * Takes one off, if there is any. At zero it wakes all waiters.
   *
   * @param once name, and a token of this count-down: it counts once, however often it comes, also
   *     if the latch is another one by then
   * @return whether it counted, now or before
   */
  CompletionStage<Boolean> countDown(LeaseKey once);

  /**
   * Looks at the latch.
   *
   * @param ifClosed {@link IfHeld#REFUSE}: registers nobody; {@link IfHeld#ENQUEUE}: unless it is
   *     at zero, registers the token as a waiter that is to be woken
   * @return empty if there is none, nor one that is over and {@linkplain #REMEMBERED remembered}
   */
  CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed);

  /** Takes the token off the waiters. */
  default CompletionStage<?> leave(LeaseKey waiter) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Listens for wake-ups until the watch is closed, as {@link LeaseStore#watch}. The default never
   * wakes, and waiters poll.
   */
  default CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return CompletableFuture.completedFuture(Watch.NONE);
  }

  /**
   * What a store knows of a latch.
   *
   * @param round the token that it was opened with; empty if another client opened it, and left
   *     none: then nobody is told of one such latch from the next
   * @param count how many count-downs are missing
   * @param left until it is over; zero or less: it is over since then
   * @param passed the round before, if it was at zero when it ended; else empty
   */
  record State(String round, int count, Duration left, String passed) {

    /** Whether it ended. */
    public boolean isOver() {
      return left.isZero() || left.isNegative();
    }

    @Override
    public String toString() {
      return Quoted.record("State", "round", round, "count", count, "left", left, "passed", passed);
    }
  }
}
