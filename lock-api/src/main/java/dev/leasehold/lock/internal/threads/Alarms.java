package dev.leasehold.lock.internal.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Any number of alarms on one timer of a scheduler, which is set for the earliest of them. A
 * cancelled alarm leaves the timer as it is: most alarms are cancelled long before they are due,
 * and setting and cancelling a timer for each would wake the scheduler's thread each time.
 * Thread-safe.
 */
public final class Alarms {
  /** An alarm that runs for so long does not delay the others any further. */
  private static final Duration STUCK = Duration.ofMillis(20);

  /** A timer that is so late was lost, by a scheduler that was shut down. */
  private static final long LOST = Duration.ofSeconds(1).toNanos();

  private static final int UNSET = -1;
  private static final int LISTED = -2;

  private final Scheduler scheduler;
  private final Ticker ticker;
  private final ReentrantLock mutex = new ReentrantLock();

  /**
   * The ends of a list by time. An alarm that is set for no earlier than the last one is appended:
   * all of one delay come in that order, so setting and cancelling one takes the same few steps
   * however many there are.
   */
  @GuardedBy("mutex")
  private @Nullable Alarm first;

  @GuardedBy("mutex")
  private @Nullable Alarm last;

  /** The other alarms: a binary heap by time. */
  @GuardedBy("mutex")
  private Alarm[] heap = new Alarm[16];

  @GuardedBy("mutex")
  private int count;

  /** The timer that is set; null if there is none. */
  @GuardedBy("mutex")
  private @Nullable Scheduled timer;

  /** When it is due. */
  @GuardedBy("mutex")
  private long timerAt;

  /** The number of the latest timer. */
  @GuardedBy("mutex")
  private long latest;

  /** Has none set. */
  public Alarms(Scheduler scheduler, Ticker ticker) {
    this.scheduler = scheduler;
    this.ticker = ticker;
  }

  /** Something to do at a time. An object can be set again after it rang, and moved while set. */
  public abstract static class Alarm {
    private long at;

    /** Its place in the heap, or that it is in the list, or not set. */
    private int place = UNSET;

    private @Nullable Alarm previous;
    private @Nullable Alarm next;

    /** Runs on the scheduler's thread. Must be short. */
    protected abstract void ring();
  }

  /**
   * Sets an alarm for an instant of the ticker, or moves it there; throws what the scheduler does.
   */
  public void set(Alarm alarm, long at) {
    mutex.lock();
    try {
      set(alarm, at, ticker.nanos());
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Sets an alarm for after a delay, in nanoseconds; throws what the scheduler does. The ticker is
   * read once, so that one that is set back meanwhile does not prolong the delay.
   */
  public void setAfter(Alarm alarm, long delay) {
    mutex.lock();
    try {
      long now = ticker.nanos();
      set(alarm, now + delay, now);
    } finally {
      mutex.unlock();
    }
  }

  @GuardedBy("mutex")
  private void set(Alarm alarm, long at, long now) {
    if (timer == null || at - timerAt < 0) {
      start(at, now);
    } else if (now - timerAt > LOST) {
      start(now, now);
    }
    remove(alarm);
    alarm.at = at;
    add(alarm);
  }

  /** Sets an alarm for an instant, unless it is set for an earlier one. */
  public void setBy(Alarm alarm, long at) {
    mutex.lock();
    try {
      if (alarm.place == UNSET || at - alarm.at < 0) {
        set(alarm, at);
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Cancels an alarm. Does nothing if it is not set; one that is ringing goes on. */
  public void cancel(Alarm alarm) {
    mutex.lock();
    try {
      remove(alarm);
    } finally {
      mutex.unlock();
    }
  }

  /** Leaves no timer behind. */
  public void close() {
    mutex.lock();
    try {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      mutex.unlock();
    }
  }

  // ---- the timer; under the mutex ----

  @GuardedBy("mutex")
  private void start(long at, long now) {
    long number = latest + 1;
    Scheduled before = timer;
    timer = scheduler.schedule(Duration.ofNanos(Math.max(0, at - now)), () -> ring(number));
    latest = number;
    timerAt = at;
    if (before != null) {
      before.cancel();
    }
  }

  private void ring(long number) {
    List<Alarm> due = new ArrayList<>();
    mutex.lock();
    try {
      if (number != latest) {
        return; // it was late, and another one has been set
      }
      timer = null;
      // A clock that stands still, or was set back, delays nothing: the scheduler has waited.
      long now = later(timerAt, ticker.nanos());
      Alarm next = earliest();
      for (; next != null && next.at - now <= 0; next = earliest()) {
        due.add(next);
        remove(next);
      }
      if (next != null) {
        start(next.at, now);
      }
    } catch (RuntimeException | Error e) { // without a timer they would never ring
      for (Alarm next = earliest(); next != null; next = earliest()) {
        due.add(next);
        remove(next);
      }
    } finally {
      mutex.unlock();
    }
    ringAll(new ConcurrentLinkedQueue<>(due));
  }

  private static long later(long one, long other) {
    return other - one > 0 ? other : one;
  }

  /** An alarm may run a store's code: if that blocks, another thread goes on with the rest. */
  private void ringAll(Queue<Alarm> due) {
    Scheduled other = due.size() > 1 ? goesOn(due) : () -> {};
    for (Alarm alarm = due.poll(); alarm != null; alarm = due.poll()) {
      Outbox.quietly(alarm::ring);
    }
    other.cancel();
  }

  private Scheduled goesOn(Queue<Alarm> due) {
    try {
      return scheduler.schedule(STUCK, () -> ringAll(due));
    } catch (RuntimeException | Error e) {
      return () -> {}; // one after the other, then
    }
  }

  // ---- the list and the heap; under the mutex ----

  @GuardedBy("mutex")
  private @Nullable Alarm earliest() {
    Alarm listed = first;
    if (count == 0) {
      return listed;
    }
    return listed == null || heap[0].at - listed.at < 0 ? heap[0] : listed;
  }

  @GuardedBy("mutex")
  private void add(Alarm alarm) {
    Alarm before = last;
    if (before != null && alarm.at - before.at < 0) {
      if (count == heap.length) {
        heap = Arrays.copyOf(heap, 2 * count);
      }
      up(alarm, count++);
      return;
    }
    alarm.place = LISTED;
    alarm.previous = before;
    if (before == null) {
      first = alarm;
    } else {
      before.next = alarm;
    }
    last = alarm;
  }

  @GuardedBy("mutex")
  private void remove(Alarm alarm) {
    if (alarm.place == LISTED) {
      unlink(alarm);
    } else if (alarm.place != UNSET) {
      removeAt(alarm.place);
    }
    alarm.place = UNSET;
  }

  @GuardedBy("mutex")
  private void unlink(Alarm alarm) {
    Alarm before = alarm.previous;
    Alarm after = alarm.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    alarm.previous = null; // one that is kept must not keep others
    alarm.next = null;
  }

  @GuardedBy("mutex")
  private void removeAt(int place) {
    Alarm moved = heap[--count];
    if (place < count) {
      down(moved, place);
      up(moved, moved.place);
    }
    clear(count);
  }

  /** Keeps nothing in reach that is not set any more. */
  @SuppressWarnings("NullAway") // beyond the count
  @GuardedBy("mutex")
  private void clear(int place) {
    heap[place] = null;
  }

  @GuardedBy("mutex")
  private void up(Alarm alarm, int from) {
    int place = from;
    while (place > 0 && alarm.at - heap[(place - 1) / 2].at < 0) {
      put(heap[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    put(alarm, place);
  }

  @GuardedBy("mutex")
  private void down(Alarm alarm, int from) {
    int place = from;
    while (true) {
      int child = 2 * place + 1;
      if (child + 1 < count && heap[child + 1].at - heap[child].at < 0) {
        child++;
      }
      if (child >= count || heap[child].at - alarm.at >= 0) {
        put(alarm, place);
        return;
      }
      put(heap[child], place);
      place = child;
    }
  }

  @GuardedBy("mutex")
  private void put(Alarm alarm, int place) {
    heap[place] = alarm;
    alarm.place = place;
  }
}
