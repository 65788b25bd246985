package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Outbox;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Releases tokens that nobody holds any more but that may be on the store: each until the store has
 * answered, whatever it answers, or it can't hold anything there any more. One that the store
 * refuses is not tried again, but where somebody finds the lock held: the store may let us by then.
 * Likewise it takes waiters off the store's lines that have left when the store could not be told.
 *
 * <p>Bounded for the whole store, since in an outage there may be very many: a few at a time while
 * it answers, one after a pause while it does not. What is too much to remember expires.
 */
public final class BackgroundReleases {
  private static final int MOST_AT_ONCE = 16;
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_REFUSED = 1000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 5;

  /**
   * How long an acquisition may be on its way: what a connection had sent before it broke may come
   * when the network lets it, long after a lease from then would have ended.
   */
  private static final Duration LATEST_GRANT = Duration.ofHours(1);

  private final StoreCalls calls;
  private final Ticker ticker;
  private final Scheduler scheduler;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Queue<Token> waiting = new ArrayDeque<>();

  /** What the store has refused to release, by the name of the lock. */
  private final Map<String, List<Token>> refused = new HashMap<>();

  /** Of all names. */
  private int refusedTokens;

  /** How many tokens of a name wait, or are being released. */
  private final Map<String, Integer> releasing = new HashMap<>();

  /** The size of that, for those who only look whether there are any. */
  private volatile int names;

  /** Who wants to know when none of a name is being released any more. */
  private final Map<String, List<Runnable>> asked = new HashMap<>();

  /** Those of them who are to be told. */
  private List<Runnable> due = new ArrayList<>(0);

  private int atOnce;
  private int failuresInARow;
  private boolean pausing;

  /** Nothing will end the pause: whoever comes next does. */
  private boolean endless;

  private boolean sending;
  private boolean last;

  private enum Task {
    RELEASE,
    LEAVE
  }

  /**
   * A token, and when its lease or its place has ended on the store. No more than that: there may
   * be thousands, and with its hold, its cell and what these refer to each would be kilobytes.
   *
   * @param kind what the view is of
   * @param store the view of the store that it was asked for by
   * @param atLeast the minimum hold from the grant on
   */
  private record Token(
      Task task,
      LockKind kind,
      LeaseStore store,
      LeaseKey key,
      Duration atLeast,
      long grantedAt,
      long end) {}

  public BackgroundReleases(StoreCalls calls, Ticker ticker, Scheduler scheduler) {
    this.calls = calls;
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  /** Releases a token that was asked for without an answer: the store may grant it yet. */
  public void add(LockKind kind, LeaseStore store, LeaseKey key) {
    add(kind, store, key, LATEST_GRANT, Duration.ZERO, 0);
  }

  /** Releases one that was granted then, lasts for this long, and is kept for at least this. */
  public void add(
      LockKind kind,
      LeaseStore store,
      LeaseKey key,
      Duration lease,
      Duration atLeast,
      long grantedAt) {
    long end = ticker.nanos() + lease.toNanos();
    add(new Token(Task.RELEASE, kind, store, key, atLeast, grantedAt, end));
  }

  /** Takes a waiter off the line that could not be told to. */
  public void leave(LockKind kind, LeaseStore store, LeaseKey key) {
    long end = ticker.nanos() + LeaseStore.LONGEST_PLACE.toNanos();
    add(new Token(Task.LEAVE, kind, store, key, Duration.ZERO, 0, end));
  }

  private void add(Token token) {
    mutex.lock();
    try {
      endEndlessPause();
      if (waiting.size() < MOST_WAITING) {
        begin(token);
      }
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  /** Somebody found this lock held: maybe by what could not be released. */
  public void foundHeld(String name) {
    mutex.lock();
    try {
      List<Token> ours = refused.remove(name);
      if (ours == null) {
        return;
      }
      endEndlessPause();
      refusedTokens -= ours.size();
      ours.forEach(this::begin);
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  /** The same by one who asks again when nothing of the name is being released any more. */
  public void foundHeld(String name, Runnable gone) {
    mutex.lock();
    try {
      if (releasing.containsKey(name)) {
        asked.computeIfAbsent(name, n -> new ArrayList<>(1)).add(gone);
        pausing = false; // the store answers
      } else {
        due.add(gone);
      }
    } finally {
      mutex.unlock();
    }
    sendSome();
  }

  /** Whether a token of this lock waits for its release, or for the answer to it. */
  public boolean isReleasing(String name) {
    if (names == 0) {
      return false;
    }
    mutex.lock();
    try {
      return releasing.containsKey(name);
    } finally {
      mutex.unlock();
    }
  }

  private void begin(Token token) {
    waiting.add(token);
    if (token.task == Task.RELEASE) { // one that only waited has nothing to give back
      releasing.merge(token.key.name(), 1, Integer::sum);
      names = releasing.size();
    }
  }

  private void end(Token token) {
    if (token.task == Task.LEAVE) {
      return;
    }
    String name = token.key.name();
    if (releasing.merge(name, -1, Integer::sum) == 0) {
      releasing.remove(name);
      names = releasing.size();
      List<Runnable> told = asked.remove(name);
      if (told != null) {
        due.addAll(told);
      }
    }
  }

  private void tellDue() {
    List<Runnable> told;
    mutex.lock();
    try {
      if (due.isEmpty()) {
        return;
      }
      told = due;
      due = new ArrayList<>(0);
    } finally {
      mutex.unlock();
    }
    told.forEach(Outbox::quietly);
  }

  /** Tries each that waits once more, without a pause, and then no more: the manager closes. */
  public void finish() {
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
    tellDue();
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
        } else {
          end(token);
        }
      }
      sending = !some.isEmpty();
      return some;
    } finally {
      mutex.unlock();
    }
  }

  private void send(Token token) {
    carryOut(token)
        .whenComplete(
            (answer, failure) -> {
              LockException typed =
                  failure != null
                      ? StoreCalls.typed(failure)
                      : answer == null && token.task == Task.RELEASE ? StoreCalls.noAnswer() : null;
              answered(token, typed);
              sendSome();
            });
  }

  private CompletableFuture<?> carryOut(Token token) {
    String name = token.key.name();
    return token.task == Task.LEAVE
        ? calls.send(token.kind, name, "leave", () -> token.store.leave(token.key))
        : calls.send(token.kind, name, "release", () -> giveBack(token));
  }

  private CompletionStage<ReleaseResult> giveBack(Token token) {
    Duration rest =
        MinimumHolds.rest(token.atLeast, Duration.ofNanos(ticker.nanos() - token.grantedAt));
    return MinimumHolds.giveBack(token.store, token.key, rest);
  }

  private void answered(Token token, @Nullable LockException failure) {
    mutex.lock();
    try {
      atOnce--;
      boolean answered = failure == null || isRefusal(failure);
      failuresInARow = answered ? 0 : failuresInARow + 1;
      if (failure == null || last || failure instanceof LockManagerClosedException) {
        end(token);
        return;
      }
      if (answered) {
        end(token);
        if (token.task == Task.RELEASE) {
          keepRefused(token);
        }
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
