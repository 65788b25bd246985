package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.threads.PendingCall;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.Quoted;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A waiter for a latch, from the call to its outcome. What it has found out is guarded by the
 * entry's mutex.
 */
final class LatchWaiter implements PendingCall<Boolean> {
  /** What an answer of the store means to a waiter. */
  enum Verdict {
    WAITS,
    PASSES,
    EXPIRED
  }

  private final LatchEntry entry;
  final Patience patience;
  final long arrived;

  /**
   * Whether it passed. Completed once, outside the mutex, by the caller for which {@link #settle}
   * was true.
   */
  final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

  /** The latch that it waits for, once it is there. */
  private @Nullable String round;

  /** What a latch that was never opened means to it. */
  private final Verdict unopened;

  private boolean settled;
  private boolean sawItClosed;

  /**
   * Creates a waiter that arrives now.
   *
   * @param entry the entry to which it is then added
   * @param opening whether it waits for a latch that was never opened; otherwise that is at zero
   */
  LatchWaiter(LatchEntry entry, Patience patience, long arrived, boolean opening) {
    this.entry = entry;
    this.patience = patience;
    this.arrived = arrived;
    this.unopened = opening ? Verdict.WAITS : Verdict.PASSES;
  }

  @Override
  public CompletableFuture<Boolean> outcome() {
    return outcome;
  }

  @Override
  public void timeUp() {
    entry.timeUp(this);
  }

  @Override
  public boolean giveUp() {
    return entry.giveUp(this);
  }

  boolean waits() {
    return patience != Patience.NONE;
  }

  /** Decides the outcome. Returns true for one caller only. */
  boolean settle() {
    boolean first = !settled;
    settled = true;
    return first;
  }

  /** Returns whether the store said, since it arrived, that the latch is not at zero. */
  boolean sawItClosed() {
    return sawItClosed;
  }

  /**
   * Returns what an answer means whose request was sent after this waiter arrived.
   *
   * @param now not before the answer
   */
  Verdict judge(Optional<State> answer, long now) {
    Verdict verdict = judged(answer, now);
    sawItClosed |= verdict == Verdict.WAITS;
    return verdict;
  }

  private Verdict judged(Optional<State> answer, long now) {
    if (answer.isEmpty()) {
      return round == null ? unopened : Verdict.EXPIRED; // forgotten meanwhile
    }
    State state = answer.get();
    if (round != null && !round.equals(state.round())) {
      return round.equals(state.passed()) ? Verdict.PASSES : Verdict.EXPIRED;
    }
    if (!state.isOver()) {
      round = state.round().isEmpty() ? null : state.round();
      return state.count() == 0 ? Verdict.PASSES : Verdict.WAITS;
    }
    boolean isLater = arrived - (now + state.left().toNanos()) > 0;
    if (round == null && isLater && unopened == Verdict.WAITS) {
      return Verdict.WAITS; // this latch ended before the waiter came, which waits for the next one
    }
    return state.count() == 0 ? Verdict.PASSES : Verdict.EXPIRED;
  }

  void fail(LockException failure) {
    outcome.completeExceptionally(failure);
  }

  static LatchExpiredException expired(String name) {
    return new LatchExpiredException(
        "latch "
            + Quoted.name(name)
            + " expired above zero: open it for longer than the work takes, or open it again if the"
            + " store lost it");
  }
}
