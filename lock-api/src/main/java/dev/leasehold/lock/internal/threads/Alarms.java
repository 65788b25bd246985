package dev.leasehold.lock.internal.threads;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
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

  private final Scheduler scheduler;
  private final Ticker ticker;
  private final ReentrantLock mutex = new ReentrantLock();

  /** A binary heap by time. */
  private final ArrayList<Alarm> heap = new ArrayList<>();

  /** The timer that is set; null if there is none. */
  private @Nullable Scheduled timer;

  /** When it is due. */
  private long timerAt;

  /** The number of the latest timer. */
  private long latest;

  /** Has none set. */
  public Alarms(Scheduler scheduler, Ticker ticker) {
    this.scheduler = scheduler;
    this.ticker = ticker;
  }

  /** Something to do at a time. An object can be set again after it rang, and moved while set. */
  public abstract static class Alarm {
    private long at;
    private int place = UNSET;

    /** Runs on the scheduler's thread. Must be short. */
    protected abstract void ring();
  }

  /**
   * Sets an alarm for an instant of the ticker, or moves it there; throws what the scheduler does.
   */
  public void set(Alarm alarm, long at) {
    mutex.lock();
    try {
      long now = ticker.nanos();
      if (timer == null || at - timerAt < 0) {
        start(at, now);
      } else if (now - timerAt > LOST) {
        start(now, now);
      }
      remove(alarm);
      alarm.at = at;
      heap.add(alarm);
      up(alarm, heap.size() - 1);
    } finally {
      mutex.unlock();
    }
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
      while (!heap.isEmpty() && heap.get(0).at - now <= 0) {
        due.add(heap.get(0));
        remove(heap.get(0));
      }
      if (!heap.isEmpty()) {
        start(heap.get(0).at, now);
      }
    } catch (RuntimeException | Error e) { // without a timer they would never ring
      heap.forEach(alarm -> alarm.place = UNSET);
      due.addAll(heap);
      heap.clear();
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

  // ---- the heap; under the mutex ----

  private void remove(Alarm alarm) {
    int place = alarm.place;
    if (place == UNSET) {
      return;
    }
    alarm.place = UNSET;
    Alarm last = heap.remove(heap.size() - 1);
    if (last != alarm) {
      down(last, place);
      up(last, last.place);
    }
  }

  private void up(Alarm alarm, int from) {
    int place = from;
    while (place > 0 && alarm.at - heap.get((place - 1) / 2).at < 0) {
      put(heap.get((place - 1) / 2), place);
      place = (place - 1) / 2;
    }
    put(alarm, place);
  }

  private void down(Alarm alarm, int from) {
    int place = from;
    while (true) {
      int child = 2 * place + 1;
      if (child + 1 < heap.size() && heap.get(child + 1).at - heap.get(child).at < 0) {
        child++;
      }
      if (child >= heap.size() || heap.get(child).at - alarm.at >= 0) {
        put(alarm, place);
        return;
      }
      put(heap.get(child), place);
      place = child;
    }
  }

  private void put(Alarm alarm, int place) {
    heap.set(place, alarm);
    alarm.place = place;
  }
}
