package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Releases tokens that nobody holds any more but that may be on the store: each until the store has
 * answered, whatever it answers, or the lease has ended there by itself. One that the store refuses
 * is not tried again, but where somebody finds the lock held: the store may let us by then.
 *
 * <p>Bounded for the whole store, since in an outage there may be very many: a few at a time while
 * it answers, one after a pause while it does not. What is too much to remember expires.
 */
final class BackgroundReleases {
  private static final int MOST_AT_ONCE = 16;
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_REFUSED = 1000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 5;

  private final StoreCalls calls;
  private final Ticker ticker;
  private final Scheduler scheduler;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Queue<Token> waiting = new ArrayDeque<>();

  /** What the store has refused to release, by the name of the lock. */
  private final Map<String, List<Token>> refused = new HashMap<>();

  /** Of all names. */
  private int refusedTokens;

  private int atOnce;
  private int failuresInARow;
  private boolean pausing;

  /** Nothing will end the pause: whoever comes next does. */
  private boolean endless;

  private boolean sending;
  private boolean last;

  /**
   * A token, and when its lease has ended on the store. No more than that: there may be thousands,
   * and with its hold, its cell and what these refer to each would be kilobytes.
   *
   * @param kind what the view is of
   * @param store the view of the store that it was asked for by
   * @param atLeast the minimum hold from the grant on
   */
  private record Token(
      LockKind kind, LeaseStore store, LeaseKey key, Duration atLeast, long grantedAt, long end) {}

  BackgroundReleases(StoreCalls calls, Ticker ticker, Scheduler scheduler) {
    this.calls = calls;
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  /** Releases a token that may last for this long on the store. */
  void add(LockKind kind, LeaseStore store, LeaseKey key, Duration lease) {
    add(kind, store, key, lease, Duration.ZERO, 0);
  }

  /** As the other, for one that was granted then and is kept for at least this long. */
  void add(
      LockKind kind,
      LeaseStore store,
      LeaseKey key,
      Duration lease,
      Duration atLeast,
      long grantedAt) {
    mutex.lock();
    try {
      endEndlessPause();
      if (waiting.size() < MOST_WAITING) {
        waiting.add(
            new Token(kind, store, key, atLeast, grantedAt, ticker.nanos() + lease.toNanos()));
      }
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  /** Somebody found this lock held: maybe by what could not be released. */
  void foundHeld(String name) {
    mutex.lock();
    try {
      List<Token> ours = refused.remove(name);
      if (ours == null) {
        return;
      }
      endEndlessPause();
      refusedTokens -= ours.size();
      waiting.addAll(ours);
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  /** Tries each that waits once more, without a pause, and then no more: the manager closes. */
  void finish() {
    mutex.lock();
    try {
      last = true;
      pausing = false;
      failuresInARow = 0;
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  private void sendSome() {
    for (List<Token> some = next(true); !some.isEmpty(); some = next(false)) {
      some.forEach(this::send);
    }
  }

  /** What is to be sent now. One thread sends at a time, so that answers at once need no stack. */
  private List<Token> next(boolean begins) {
    mutex.lock();
    try {
      if (begins && sending) {
        return List.of();
      }
      List<Token> some = new ArrayList<>();
      int most = failuresInARow == 0 ? MOST_AT_ONCE : 1;
      while (!pausing && atOnce < most && !waiting.isEmpty()) {
        Token token = waiting.remove();
        if (token.end - ticker.nanos() > 0) {
          some.add(token);
          atOnce++;
        }
      }
      sending = !some.isEmpty();
      return some;
    } finally {
      mutex.unlock();
    }
  }

  private void send(Token token) {
    calls
        .send(token.kind, token.key.name(), "release", () -> giveBack(token))
        .whenComplete(
            (answer, failure) -> {
              LockException typed =
                  failure != null
                      ? StoreCalls.typed(failure)
                      : answer == null ? StoreCalls.noAnswer() : null;
              answered(token, typed);
              sendSome();
            });
  }

  private CompletionStage<ReleaseResult> giveBack(Token token) {
    Duration rest = Minimum.rest(token.atLeast, Duration.ofNanos(ticker.nanos() - token.grantedAt));
    return Minimum.giveBack(token.store, token.key, rest);
  }

  private void answered(Token token, @Nullable LockException failure) {
    mutex.lock();
    try {
      atOnce--;
      boolean answered = failure == null || isRefusal(failure);
      failuresInARow = answered ? 0 : failuresInARow + 1;
      if (failure == null || last || failure instanceof LockManagerClosedException) {
        return;
      }
      if (answered) {
        keepRefused(token);
        return;
      }
      waiting.add(token);
      if (!pausing) {
        pause();
      }
    } finally {
      mutex.unlock();
    }
  }

  private void pause() {
    int doublings = Math.min(MOST_DOUBLINGS, failuresInARow - 1);
    Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
    pausing = true;
    try {
      scheduler.schedule(
          pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE, this::pauseEnded);
    } catch (RuntimeException | Error e) { // no memory for a timer, say
      endless = true;
    }
  }

  /** To a refusal in the store's own words, asking again gets no other answer for now. */
  private static boolean isRefusal(LockException failure) {
    return failure instanceof LockStoreException store && store.kind() == Kind.REFUSED;
  }

  private void keepRefused(Token token) {
    if (refusedTokens >= MOST_REFUSED) {
      long now = ticker.nanos();
      refused.values().forEach(tokens -> tokens.removeIf(t -> t.end - now <= 0));
      refused.values().removeIf(List::isEmpty);
      refusedTokens = refused.values().stream().mapToInt(List::size).sum();
    }
    if (refusedTokens < MOST_REFUSED) {
      refused.computeIfAbsent(token.key.name(), name -> new ArrayList<>(1)).add(token);
      refusedTokens++;
    }
  }

  private void endEndlessPause() {
    pausing &= !endless;
    endless = false;
  }

  private void pauseEnded() {
    mutex.lock();
    try {
      pausing = false;
    } finally {
      mutex.unlock();
    }
    sendSome();
  }
}
