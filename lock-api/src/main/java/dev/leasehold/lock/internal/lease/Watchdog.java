package dev.leasehold.lock.internal.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The default renewer. It renews each lease after a third of its length, or up to a tenth of that
 * earlier. Leases due within a moment of each other are renewed in one batch. After a failure it
 * retries sooner, while the lease lasts.
 *
 * <p>One timer serves any number of leases. A sweep visits them all, but only when one is due: with
 * leases of 30 s that is a few times in 10 s, and a sweep of 100 000 takes some milliseconds.
 */
public final class Watchdog implements LeaseRenewer {
  private static final int PART = 3;
  private static final double JITTER = 0.1;

  /** Leases due within this part of a third of their length join the batch. */
  private static final int BATCHING_PART = 20;

  private static final int LARGEST_BATCH = 1000;
  private static final long SHORTEST_RETRY = Duration.ofMillis(10).toNanos();

  private final ReentrantLock mutex = new ReentrantLock();

  /** The leases to be renewed, each of which knows its place here. */
  @GuardedBy("mutex")
  private final List<Entry> entries = new ArrayList<>();

  @GuardedBy("mutex")
  private int changes;

  private final ReentrantLock timing = new ReentrantLock();
  private @Nullable Context context;

  @GuardedBy("timing")
  private Scheduler.@Nullable Scheduled timer;

  /**
   * Whether a timer could not be set: the next one is for a sweep at once, which sets the right
   * one.
   */
  @GuardedBy("timing")
  private boolean missed;

  private volatile long timerAt;
  private volatile boolean ticking;
  private volatile boolean closed;

  /**
   * A lease, which has itself what the watchdog records of it: a map with an entry for each would
   * take as much memory as the lease.
   */
  abstract static class Entry extends Alarms.Alarm implements RenewableLease {
    private static final int NOWHERE = -1;

    /** When it is due; not considered while its renewal is under way. */
    private volatile long due;

    private volatile boolean underWay;

    /** Its place in the watchdog's list; guarded by the watchdog's mutex. */
    private int place = NOWHERE;

    /**
     * The number of the change by which it came into the list, or left it. A renewal that was begun
     * before the last change has no effect on it.
     */
    private volatile int change;
  }

  /** A lease that is due in so many nanoseconds, and its last change before. */
  private record Due(Entry entry, long in, int change) {}

  @Override
  public void start(Context context) {
    this.context = context;
  }

  private Context context() {
    return Objects.requireNonNull(context, "not started");
  }

  @Override
  public void add(RenewableLease lease) {
    Entry entry = (Entry) lease;
    long due = context().ticker().nanos() + pause(entry);
    mutex.lock();
    try {
      if (closed) {
        return;
      }
      if (entry.place == Entry.NOWHERE) {
        entry.place = entries.size();
        entries.add(entry);
      }
      entry.change = ++changes;
      entry.due = due;
      entry.underWay = false;
    } finally {
      mutex.unlock();
    }
    tickBy(due);
  }

  @Override
  public void remove(RenewableLease lease) {
    mutex.lock();
    try {
      removeNow((Entry) lease);
    } finally {
      mutex.unlock();
    }
  }

  @GuardedBy("mutex")
  private void removeNow(Entry entry) {
    int place = entry.place;
    if (place == Entry.NOWHERE) {
      return;
    }
    Entry last = entries.remove(entries.size() - 1);
    if (last != entry) {
      entries.set(place, last);
      last.place = place;
    }
    entry.place = Entry.NOWHERE;
    entry.change = ++changes;
  }

  private long pause(RenewableLease lease) {
    long third = lease.lease().toNanos() / PART;
    return third - (long) (third * JITTER * context().random().nextDouble());
  }

  /** Ensures that a sweep runs by then. */
  private void tickBy(long due) {
    if (ticking && timerAt - due <= 0) {
      return;
    }
    timing.lock();
    try {
      if (closed || (ticking && timerAt - due <= 0)) {
        return;
      }
      Scheduler.Scheduled before = timer;
      long now = context().ticker().nanos();
      timerAt = missed ? now : due; // a later due time must not replace a sweep at once
      ticking = true; // first: the sweep may begin at once
      long delay = Math.max(0, timerAt - now);
      try {
        timer = context().scheduler().schedule(Duration.ofNanos(delay), this::sweep);
        missed = false;
      } catch (RuntimeException | Error e) { // the timer before is still set
        ticking = false;
        missed = true;
        throw e;
      }
      if (before != null) {
        before.cancel();
      }
    } finally {
      timing.unlock();
    }
  }

  private void sweep() {
    ticking = false;
    long now = context().ticker().nanos();
    List<Due> due = new ArrayList<>();
    Due next = null;
    for (Entry entry : all()) {
      int change = entry.change;
      if (entry.underWay) {
        continue;
      }
      long in = entry.due - now;
      if (in <= entry.lease().toNanos() / PART / BATCHING_PART) {
        due.add(new Due(entry, in, change));
      } else if (next == null || in < next.in) {
        next = new Due(entry, in, change);
      }
    }
    due.removeIf(one -> !begins(one));
    try {
      if (next != null) {
        tickBy(now + next.in);
      }
    } catch (RuntimeException | Error e) {
      if (due.isEmpty() && next != null && begins(next)) {
        due.add(next); // the end of its renewal sets the timer
      }
      throw e;
    } finally { // also if no timer can be set
      renewAll(due);
    }
  }

  /** Renews the most urgent first, then in the order of arrival. */
  private void renewAll(List<Due> due) {
    due.sort(
        Comparator.comparingLong(Due::in)
            .thenComparing((one, other) -> Integer.signum(one.change - other.change)));
    for (int from = 0; from < due.size(); from += LARGEST_BATCH) {
      renew(due.subList(from, Math.min(due.size(), from + LARGEST_BATCH)));
    }
  }

  /** Returns a copy, so that a sweep delays no acquisition. */
  private Entry[] all() {
    mutex.lock();
    try {
      return entries.toArray(new Entry[0]);
    } finally {
      mutex.unlock();
    }
  }

  /** Begins the renewal of a lease, unless it has left the list or come anew meanwhile. */
  private boolean begins(Due one) {
    mutex.lock();
    try {
      boolean begins = one.entry.change == one.change && !one.entry.underWay;
      one.entry.underWay |= begins;
      return begins;
    } finally {
      mutex.unlock();
    }
  }

  private void renew(Collection<Due> due) {
    List<Due> batch = List.copyOf(due);
    List<CompletionStage<Outcome>> outcomes =
        context().renew(batch.stream().<RenewableLease>map(Due::entry).toList());
    for (int i = 0; i < batch.size(); i++) {
      Due one = batch.get(i);
      outcomes.get(i).thenAccept(outcome -> ended(one, outcome));
    }
  }

  private void ended(Due one, Outcome outcome) {
    if (outcome == Outcome.ENDED) {
      ended(one);
      return;
    }
    long usual = pause(one.entry);
    long pause =
        outcome == Outcome.RENEWED
            ? usual
            : Math.min(usual, Math.max(SHORTEST_RETRY, one.entry.remaining().toNanos() / 10));
    long due = context().ticker().nanos() + pause;
    if (continues(one, due)) {
      tickBy(due);
    }
  }

  private void ended(Due one) {
    mutex.lock();
    try {
      if (one.entry.change == one.change) {
        removeNow(one.entry);
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Ends the renewal of a lease that is due again then. Returns false if it has left the list. */
  private boolean continues(Due one, long due) {
    mutex.lock();
    try {
      if (one.entry.change != one.change) {
        return false;
      }
      one.entry.due = due;
      one.entry.underWay = false;
      return true;
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Entry entry : all()) {
      remove(entry);
    }
    timing.lock();
    try {
      if (timer != null) {
        timer.cancel();
      }
    } finally {
      timing.unlock();
    }
  }
}
