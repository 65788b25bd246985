package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The latches of a store; the engine does the waiting, repetition and bounding.
 *
 * <p>The contract is that of {@link LeaseStore}: methods are thread-safe and do not block, each
 * operation is one atomic step, each failure is a {@link dev.leasehold.lock.LockStoreException},
 * and cancelling a stage withdraws its command.
 */
public interface Latches {

  /** Largest count of a latch: a store remembers each count-down. */
  int MOST_COUNT = 100_000;

  /** How long a store remembers an expired latch: longer than a waiter's pause. */
  Duration REMEMBERED = Duration.ofSeconds(150);

  /**
   * Opens a latch unless an unexpired one exists.
   *
   * @param round name, and a token of this opening: repeating the request does not open the latch
   *     again
   * @param count 1 to {@link #MOST_COUNT}
   * @param keepFor time to keep the latch, whole milliseconds, at least 1
   * @return whether the existing latch is the one of this round
   */
  CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor);

  /**
   * Subtracts one from a count above zero. At zero it wakes all waiters.
   *
   * @param once name, and a token of this count-down: it counts once, however often it is repeated,
   *     even if the latch has been replaced by another in the meantime
   * @return whether the count-down has taken effect, now or earlier
   */
  CompletionStage<Boolean> countDown(LeaseKey once);

  /**
   * Reads the latch's state.
   *
   * @param ifClosed {@link IfHeld#REFUSE}: registers no waiter; {@link IfHeld#ENQUEUE}: unless the
   *     latch is at zero, registers the token as a waiter to be woken
   * @return empty if there is no latch, not even an expired one that is {@linkplain #REMEMBERED
   *     remembered}
   */
  CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed);

  /** Removes the token from the waiters. */
  default CompletionStage<?> leave(LeaseKey waiter) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Listens for wake-ups until the watch is closed, as {@link LeaseStore#watch}. The default never
   * wakes waiters, so they poll.
   */
  default CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return CompletableFuture.completedFuture(Watch.NONE);
  }

  /**
   * A store's record of a latch.
   *
   * @param round the token with which it was opened; empty if a foreign client opened it without
   *     one, so that successive latches cannot be distinguished
   * @param count count-downs still needed
   * @param left time to expiry; zero or negative if it expired that long ago
   * @param passed the previous round, if its latch was at zero when it ended; else empty
   */
  record State(String round, int count, Duration left, String passed) {

    /** Whether the latch has expired. */
    public boolean isOver() {
      return left.isZero() || left.isNegative();
    }
  }
}
