package dev.leasehold.cli.console;

import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockListing;
import dev.leasehold.cli.console.Snapshot.Event;
import dev.leasehold.cli.listing.ListingChanges;
import dev.leasehold.cli.listing.ListingChanges.Change;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Reads the locks periodically, regardless of the number of browsers, and keeps the latest
 * snapshot. Thread-safe.
 */
public final class LockWatcher implements AutoCloseable {
  /** The most locks that are kept, to limit memory. */
  static final int MOST = 10_000;

  /** The most changes that are kept. */
  private static final int MOST_EVENTS = 200;

  private final LockAdmin admin;
  private final String pattern;
  private final Duration every;
  private final Thread thread;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition changed = mutex.newCondition();
  private final Deque<Event> timeline = new ArrayDeque<>(); // guarded by mutex
  private ListingChanges changes = new ListingChanges(); // of the thread
  private boolean first = true; // of the thread
  private volatile Snapshot latest = Snapshot.none();

  /** Starts reading. Does not close the admin. */
  public LockWatcher(LockAdmin admin, String pattern, Duration every) {
    this.admin = admin;
    this.pattern = pattern;
    this.every = every;
    this.thread = new Thread(this::run, "leasehold-console-watcher");
    thread.setDaemon(true);
    thread.start();
  }

  Snapshot latest() {
    return latest;
  }

  /** Returns the first snapshot that is newer than this one, or the latest one after this time. */
  Snapshot after(long number, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    mutex.lock();
    try {
      while (latest.number() <= number && left > 0) {
        left = changed.awaitNanos(left);
      }
      return latest;
    } finally {
      mutex.unlock();
    }
  }

  /** Adds a change made through the page. */
  void add(String change, ListedLock lock) {
    Event event = new Event(Instant.now(), change, lock);
    publish(seen -> seen, List.of(event));
  }

  private void run() {
    try {
      while (true) {
        look();
        TimeUnit.NANOSECONDS.sleep(every.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private void look() {
    long begun = System.nanoTime();
    try {
      LockListing listing = admin.list(pattern);
      List<ListedLock> locks = new ArrayList<>();
      boolean more = false;
      for (ListedLock lock : listing) {
        if (locks.size() == MOST) {
          more = true;
          break;
        }
        locks.add(lock);
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      Instant now = Instant.now();
      Snapshot seen =
          new Snapshot(
              0,
              now,
              took,
              locks,
              more,
              listing.omissions(),
              admin.nodes(),
              List.of(),
              Optional.empty());
      publish(before -> seen, events(locks, more, now));
    } catch (RuntimeException e) { // the next look may succeed
      String why = e instanceof LockStoreException ? String.valueOf(e.getMessage()) : e.toString();
      publish(before -> before.failed(why), List.of());
    }
  }

  /**
   * Returns the changes since the previous snapshot: none for the first, nor if some locks are not
   * seen, which may be others each time.
   */
  private List<Event> events(List<ListedLock> locks, boolean more, Instant now) {
    if (more) {
      changes = new ListingChanges();
      first = true;
      return List.of();
    }
    List<Change> seen = changes.next(locks);
    boolean none = first;
    first = false;
    return none
        ? List.of()
        : seen.stream().map(each -> Event.of(now, each.what(), each.lock())).toList();
  }

  private void publish(UnaryOperator<Snapshot> next, List<Event> events) {
    mutex.lock();
    try {
      Snapshot seen = next.apply(latest);
      events.forEach(timeline::addFirst);
      while (timeline.size() > MOST_EVENTS) {
        timeline.removeLast();
      }
      latest = seen.numbered(latest.number() + 1, List.copyOf(timeline));
      changed.signalAll();
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
