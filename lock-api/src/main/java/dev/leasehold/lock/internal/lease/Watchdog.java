package dev.leasehold.lock.internal.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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

  private final ConcurrentHashMap<RenewableLease, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong added = new AtomicLong();
  private final ReentrantLock timing = new ReentrantLock();
  private @Nullable Context context;

  @GuardedBy("timing")
  private Scheduler.@Nullable Scheduled timer;

  private volatile long timerAt;
  private volatile boolean ticking;
  private volatile boolean closed;

  /** A lease and the time when it is due; not considered while its renewal is under way. */
  private static final class Entry {
    final RenewableLease lease;
    final long number;
    volatile long due;
    volatile boolean underWay;

    Entry(RenewableLease lease, long number, long due) {
      this.lease = lease;
      this.number = number;
      this.due = due;
    }
  }

  @Override
  public void start(Context context) {
    this.context = context;
  }

  private Context context() {
    return Objects.requireNonNull(context, "not started");
  }

  @Override
  public void add(RenewableLease lease) {
    long due = context().ticker().nanos() + pause(lease);
    entries.put(lease, new Entry(lease, added.incrementAndGet(), due));
    tickBy(due);
  }

  @Override
  public void remove(RenewableLease lease) {
    entries.remove(lease);
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
      if (timer != null) {
        timer.cancel();
      }
      timerAt = due;
      ticking = true;
      long delay = Math.max(0, due - context().ticker().nanos());
      timer = context().scheduler().schedule(Duration.ofNanos(delay), this::sweep);
    } finally {
      timing.unlock();
    }
  }

  private void sweep() {
    ticking = false;
    long now = context().ticker().nanos();
    List<Entry> due = new ArrayList<>();
    long next = Long.MAX_VALUE;
    for (Entry entry : entries.values()) {
      if (entry.underWay) {
        continue;
      }
      long in = entry.due - now;
      if (in <= entry.lease.lease().toNanos() / PART / BATCHING_PART) {
        entry.underWay = true;
        due.add(entry);
      } else {
        next = Math.min(next, in);
      }
    }
    if (next != Long.MAX_VALUE) {
      tickBy(now + next);
    }
    // The most urgent first; and in simulations never in the order of hash codes.
    due.sort(
        Comparator.comparingLong((Entry entry) -> entry.due - now)
            .thenComparingLong(entry -> entry.number));
    for (int from = 0; from < due.size(); from += LARGEST_BATCH) {
      renew(due.subList(from, Math.min(due.size(), from + LARGEST_BATCH)));
    }
  }

  private void renew(Collection<Entry> due) {
    List<Entry> batch = List.copyOf(due);
    List<CompletionStage<Outcome>> outcomes =
        context().renew(batch.stream().map(entry -> entry.lease).toList());
    for (int i = 0; i < batch.size(); i++) {
      Entry entry = batch.get(i);
      outcomes.get(i).thenAccept(outcome -> ended(entry, outcome));
    }
  }

  private void ended(Entry entry, Outcome outcome) {
    if (outcome == Outcome.ENDED) {
      entries.remove(entry.lease, entry);
      return;
    }
    long usual = pause(entry.lease);
    long pause =
        outcome == Outcome.RENEWED
            ? usual
            : Math.min(usual, Math.max(SHORTEST_RETRY, entry.lease.remaining().toNanos() / 10));
    entry.due = context().ticker().nanos() + pause;
    entry.underWay = false;
    if (entries.get(entry.lease) == entry) {
      tickBy(entry.due);
    }
  }

  @Override
  public void close() {
    closed = true;
    entries.clear();
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
