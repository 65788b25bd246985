package dev.leasehold.redlock;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The releases that one node has not confirmed. While it is away one of them is tried now and then,
 * however many there are; when it answers again, they are sent quickly. A lease that ended long ago
 * needs none, unless the node was silent when it was asked to take it: it may do so when it goes
 * on. Thread-safe.
 */
final class PendingReleases {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int MOST_AT_ONCE = 64;

  /** Beyond these the oldest is left to expire on the node. */
  private static final int MOST = 10_000;

  private final Member node;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Deque<Ballot> owed = new ArrayDeque<>();
  private int atOnce = 1;
  private Duration pause = FIRST_PAUSE;

  /** Whether a try is under way or set for later. */
  private boolean busy;

  /** Whether the last try was refused, so that an answer of the node is no sign of better luck. */
  private boolean refused;

  private Scheduler.@Nullable Scheduled timer;
  private boolean stopped;

  PendingReleases(Member node) {
    this.node = node;
  }

  void add(StoreContext context, Ballot ballot) {
    List<Ballot> forgiven = new ArrayList<>();
    mutex.lock();
    try {
      if (stopped) {
        return;
      }
      owed.addLast(ballot);
      while (owed.size() > MOST) {
        forgiven.add(owed.removeFirst());
      }
      if (!busy) {
        busy = true;
        later(context);
      }
    } finally {
      mutex.unlock();
    }
    forgiven.forEach(oldest -> oldest.isEven(node));
  }

  private void later(StoreContext context) {
    timer =
        context
            .scheduler()
            .schedule(pause, () -> context.executor().execute(() -> timeIsUp(context)));
  }

  /** The node has answered something: it need not be waited for any longer. */
  void answered(StoreContext context) {
    mutex.lock();
    try {
      if (timer == null || refused) {
        return;
      }
      timer.cancel();
      timer = null;
    } finally {
      mutex.unlock();
    }
    context.executor().execute(() -> someMore(context));
  }

  private void timeIsUp(StoreContext context) {
    mutex.lock();
    try {
      if (timer == null) {
        return; // an answer was quicker
      }
      timer = null;
    } finally {
      mutex.unlock();
    }
    someMore(context);
  }

  private void someMore(StoreContext context) {
    List<Ballot> expired = new ArrayList<>();
    List<Ballot> next = new ArrayList<>();
    mutex.lock();
    try {
      owed.removeIf(ballot -> ballot.hasExpired(node) && expired.add(ballot));
      while (!owed.isEmpty() && next.size() < atOnce) {
        next.add(owed.removeFirst());
      }
      if (next.isEmpty()) {
        busy = false;
        refused = false;
        atOnce = 1;
        pause = FIRST_PAUSE;
      }
    } finally {
      mutex.unlock();
    }
    expired.forEach(ballot -> ballot.isEven(node));
    if (!next.isEmpty()) {
      release(context, next);
    }
  }

  private void release(StoreContext context, List<Ballot> some) {
    List<Throwable> failures = new ArrayList<>();
    CompletableFuture<?>[] all =
        some.stream()
            .map(
                ballot ->
                    ballot
                        .release(node)
                        .handle(
                            (result, failure) -> {
                              if (failure == null) {
                                ballot.isEven(node);
                              } else {
                                putBack(ballot, failure, failures);
                              }
                              return result;
                            }))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).whenComplete((done, failure) -> tried(context, failures));
  }

  /** Behind the others: it may be one that can't be paid. */
  private void putBack(Ballot ballot, Throwable failure, List<Throwable> failures) {
    mutex.lock();
    try {
      failures.add(failure);
      if (!stopped) {
        owed.addLast(ballot);
      }
    } finally {
      mutex.unlock();
    }
  }

  private void tried(StoreContext context, List<Throwable> failures) {
    mutex.lock();
    try {
      if (stopped) {
        return;
      }
      refused = failures.stream().anyMatch(PendingReleases::isAnswer);
      if (!failures.isEmpty()) {
        later(context);
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        atOnce = 1;
        return;
      }
      pause = FIRST_PAUSE;
      atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
    } finally {
      mutex.unlock();
    }
    context.executor().execute(() -> someMore(context));
  }

  private static boolean isAnswer(Throwable failure) {
    return Poll.cause(failure) instanceof LockStoreException typed && typed.kind() == Kind.REFUSED;
  }

  /** They are left to expire. */
  void stop() {
    mutex.lock();
    try {
      stopped = true;
      owed.clear();
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      mutex.unlock();
    }
  }
}
