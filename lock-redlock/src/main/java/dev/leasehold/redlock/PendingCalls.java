package dev.leasehold.redlock;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Releases and leaves that one node has not confirmed. While the node is away, a single one is
 * retried now and then, however many there are; once it answers, they are sent quickly.
 * Thread-safe.
 */
final class PendingCalls {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int MOST_AT_ONCE = 64;

  /** The limit, above which the oldest is dropped and left to expire on the node. */
  private static final int MOST = 10_000;

  /** A call that removes something from a node. Equal calls are sent once. */
  interface Pending {
    /** Sends the call. */
    CompletableFuture<?> send(Member node);

    /** Whether the node has let it expire. */
    boolean hasExpired(Member node);

    /** The node holds nothing of it any more, or soon will not. */
    default void isEven(Member node) {}
  }

  private final Member node;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Set<Pending> owed = new LinkedHashSet<>();
  private int atOnce = 1;
  private Duration pause = FIRST_PAUSE;

  /** Whether a call is under way or scheduled. */
  private boolean busy;

  /**
   * Whether the last call was refused: then the fact that the node answers is no reason to retry.
   */
  private boolean refused;

  private Scheduler.@Nullable Scheduled timer;
  private boolean stopped;

  PendingCalls(Member node) {
    this.node = node;
  }

  void add(StoreContext context, Pending call) {
    List<Pending> forgiven = new ArrayList<>();
    mutex.lock();
    try {
      if (stopped) {
        return;
      }
      owed.add(call);
      while (owed.size() > MOST) {
        forgiven.add(removeFirst());
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

  private Pending removeFirst() {
    Iterator<Pending> all = owed.iterator();
    Pending first = all.next();
    all.remove();
    return first;
  }

  private void later(StoreContext context) {
    timer =
        context
            .scheduler()
            .schedule(pause, () -> context.executor().execute(() -> timeIsUp(context)));
  }

  /** The node has answered some call: retry without waiting for the timer. */
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
        return; // an answer came first
      }
      timer = null;
    } finally {
      mutex.unlock();
    }
    someMore(context);
  }

  private void someMore(StoreContext context) {
    List<Pending> expired = new ArrayList<>();
    List<Pending> next = new ArrayList<>();
    mutex.lock();
    try {
      owed.removeIf(call -> call.hasExpired(node) && expired.add(call));
      while (!owed.isEmpty() && next.size() < atOnce) {
        next.add(removeFirst());
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
    expired.forEach(call -> call.isEven(node));
    if (!next.isEmpty()) {
      send(context, next);
    }
  }

  private void send(StoreContext context, List<Pending> some) {
    List<Throwable> failures = new ArrayList<>();
    CompletableFuture<?>[] all =
        some.stream()
            .map(
                call ->
                    call.send(node)
                        .handle(
                            (result, failure) -> {
                              if (failure == null) {
                                call.isEven(node);
                              } else {
                                putBack(call, failure, failures);
                              }
                              return node;
                            }))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).whenComplete((done, failure) -> tried(context, failures));
  }

  /** Appends it, so that a call which always fails does not block the others. */
  private void putBack(Pending call, Throwable failure, List<Throwable> failures) {
    mutex.lock();
    try {
      failures.add(failure);
      if (!stopped) {
        owed.add(call);
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
      refused = failures.stream().anyMatch(PendingCalls::isAnswer);
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
    return NodePoll.cause(failure) instanceof LockStoreException typed
        && typed.kind() == Kind.REFUSED;
  }

  /** Drops all calls: what they would remove is left to expire. */
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
