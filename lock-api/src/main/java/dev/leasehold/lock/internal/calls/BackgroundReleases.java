package dev.leasehold.lock.internal.calls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Releases tokens that are no longer held but may be on the store. Each release is repeated until
 * the store has answered, whatever it answers, or the token can't hold anything there any more. A
 * release that the store refuses is repeated only when a request finds the lock held: by then the
 * store may permit it. Waiters that left while the store did not answer are removed from the queue
 * there in the same way.
 *
 * <p>Bounded for the whole store, since an outage may leave very many: a few at a time while it
 * answers, one after a pause while it does not. Tokens beyond the limit are left to expire.
 */
public final class BackgroundReleases {
  private static final int MOST_AT_ONCE = 16;
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_REFUSED = 1000;

  /**
   * How long an acquisition may be in transit: a packet may outlive its connection, and arrive long
   * after the lease that it asked for would have ended.
   */
  private static final Duration LATEST_GRANT = Duration.ofHours(1);

  private final Ticker ticker;
  private final Scheduler scheduler;
  private final ReentrantLock mutex = new ReentrantLock();

  @GuardedBy("mutex")
  private final Queue<Token> waiting = new ArrayDeque<>();

  /** Tokens that the store has refused to release, by the name of the lock. */
  @GuardedBy("mutex")
  private final Map<String, List<Token>> refused = new HashMap<>();

  /** Of all names. */
  @GuardedBy("mutex")
  private int refusedTokens;

  /** The number of tokens of each name that are waiting or being released. */
  @GuardedBy("mutex")
  private final Map<String, Integer> releasing = new HashMap<>();

  /** Its size, for callers that only check whether it is empty. */
  private volatile int names;

  /** Actions to run when no token of a name is being released any more. */
  @GuardedBy("mutex")
  private final Map<String, List<Runnable>> asked = new HashMap<>();

  /** The actions that are to run now. */
  @GuardedBy("mutex")
  private List<Runnable> due = new ArrayList<>(0);

  @GuardedBy("mutex")
  private int atOnce;

  /** As long as the store has failed in a row. */
  @GuardedBy("mutex")
  private final Backoff backoff = new Backoff();

  @GuardedBy("mutex")
  private boolean pausing;

  /** No timer will end the pause: the next call does. */
  @GuardedBy("mutex")
  private boolean endless;

  @GuardedBy("mutex")
  private boolean sending;

  @GuardedBy("mutex")
  private boolean last;

  private enum Task {
    RELEASE,
    LEAVE
  }

  /**
   * A token, and when its lease or its place has ended on the store. Nothing else: there may be
   * thousands, and with its hold and its entry each would take kilobytes.
   *
   * @param store the view of the store that granted it, or was asked to
   * @param atLeast the minimum hold, from the grant on
   */
  private record Token(
      Task task, StoreOperations store, LeaseKey key, Duration atLeast, long grantedAt, long end) {}

  public BackgroundReleases(Ticker ticker, Scheduler scheduler) {
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  /** Releases a token whose acquisition had no answer: the store may still grant it. */
  public void add(StoreOperations store, LeaseKey key) {
    add(store, key, LATEST_GRANT, Duration.ZERO, 0);
  }

  /** Releases a token granted at that time, whose lease lasts so long and is kept so long. */
  public void add(
      StoreOperations store, LeaseKey key, Duration lease, Duration atLeast, long grantedAt) {
    long end = ticker.nanos() + lease.toNanos();
    add(new Token(Task.RELEASE, store, key, atLeast, grantedAt, end));
  }

  /** Removes a waiter from the queue on the store. */
  public void leave(StoreOperations store, LeaseKey key) {
    long end = ticker.nanos() + LeaseStore.LONGEST_PLACE.toNanos();
    add(new Token(Task.LEAVE, store, key, Duration.ZERO, 0, end));
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

  /** A request found this lock held, perhaps by a token that could not be released. */
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

  /** As above; runs an action when no token of the name is being released any more. */
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

  /** Returns whether a token of this lock is waiting or being released. */
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

  @GuardedBy("mutex")
  private void begin(Token token) {
    waiting.add(token);
    if (token.task == Task.RELEASE) { // a token that only waited has nothing to release
      releasing.merge(token.key.name(), 1, Integer::sum);
      names = releasing.size();
    }
  }

  @GuardedBy("mutex")
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

  /** Tries each waiting token once more, without a pause: the manager is closing. */
  public void finish() {
    mutex.lock();
    try {
      last = true;
      pausing = false;
      backoff.reset();
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

  /** Sends what is due. One thread at a time, so that immediate answers need no stack. */
  private List<Token> next(boolean begins) {
    mutex.lock();
    try {
      if (begins && sending) {
        return List.of();
      }
      List<Token> some = new ArrayList<>();
      int most = backoff.last().isZero() ? MOST_AT_ONCE : 1;
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
              answered(token, failure == null ? null : StoreCalls.typed(failure));
              sendSome();
            });
  }

  private CompletableFuture<?> carryOut(Token token) {
    if (token.task == Task.LEAVE) {
      return token.store.leave(token.key);
    }
    Duration held = Duration.ofNanos(ticker.nanos() - token.grantedAt);
    return token.store.release(token.key, LeaseTimes.rest(token.atLeast, held));
  }

  private void answered(Token token, @Nullable LockException failure) {
    mutex.lock();
    try {
      atOnce--;
      boolean answered = failure == null || isRefusal(failure);
      if (answered) {
        backoff.reset();
      } else {
        backoff.afterFailure();
      }
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

  @GuardedBy("mutex")
  private void pause() {
    pausing = true;
    try {
      scheduler.schedule(backoff.last(), this::pauseEnded);
    } catch (RuntimeException | Error e) { // such as out of memory
      endless = true;
    }
  }

  /** Returns whether the store itself refused: for now, a repetition gets the same answer. */
  private static boolean isRefusal(LockException failure) {
    return failure instanceof LockStoreException store && store.kind() == Kind.REFUSED;
  }

  @GuardedBy("mutex")
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

  @GuardedBy("mutex")
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
