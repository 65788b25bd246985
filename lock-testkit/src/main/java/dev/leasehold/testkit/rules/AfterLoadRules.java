package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks that waiting leaks no threads, timers, connections or subscriptions. */
final class AfterLoadRules {
  private static final int LOCKS = 24;

  @Rule(value = "WA-7", shows = "threads and timers", alone = true)
  void threadsAndTimersGoBack(Bench bench) throws Exception {
    CountingTimers timers = bench.closing(new CountingTimers());
    LockManager loaded = bench.site().open(b -> b.scheduler(timers));
    // A store may have timers of its own, and the manager one, however many locks there were.
    int own = timers.pending() + 1;
    LockManager other = bench.site().open();
    load(bench, other, loaded, 2);
    Await.until("no timer of a lock is left", () -> timers.pending() <= own);
    int threads = Thread.getAllStackTraces().size();
    load(bench, other, loaded, LOCKS);
    Await.until("no timer of a lock is left", () -> timers.pending() <= own);
    Await.until(
        "there are no more threads than before",
        () -> Thread.getAllStackTraces().size() <= threads);
  }

  @Rule(
      value = "WA-7",
      shows = "connections and subscriptions",
      needs = {Need.OPTIONS, Need.VIEW},
      timed = true)
  void connectionsGoBack(Bench bench) throws Exception {
    Site site = bench.ownSite();
    LockManager loaded = site.open();
    LockManager other = site.open();
    site.view(); // the view's connection is counted too
    load(bench, other, loaded, 2);
    long channels = channels(site);
    List<String> names = new ArrayList<>(load(bench, other, loaded, LOCKS));
    // A connection pool is now as large as this load needs: the same load must not enlarge it.
    long clients = lines(site, "CLIENT", "LIST");
    names.addAll(load(bench, other, loaded, LOCKS));
    Await.until("connections are as before", () -> lines(site, "CLIENT", "LIST") <= clients);
    Await.until("subscriptions are as before", () -> channels(site) <= channels);
    for (String name : names) {
      Await.until("'" + name + "' is free", () -> site.view().look(name).isEmpty());
      Await.until("'" + name + "' has no waiters", () -> site.view().hasWaiting(name, 0));
    }
  }

  private static long lines(Site site, String... command) {
    return site.redis().call(command).map(list -> list.toString().lines().count()).orElse(0L);
  }

  private static long channels(Site site) {
    long sharded;
    try {
      sharded = items(site, "SHARDCHANNELS");
    } catch (RespConnection.ServerError older) {
      sharded = 0; // servers before Redis 7 have no sharded channels
    }
    return items(site, "CHANNELS") + sharded;
  }

  private static long items(Site site, String kind) {
    return site.redis()
        .call("PUBSUB", kind)
        .map(list -> list instanceof List<?> items ? (long) items.size() : 0L)
        .orElse(0L);
  }

  /** Per lock: one waiter that is granted the lock, one that times out and one that cancels. */
  private static List<String> load(Bench bench, LockManager holder, LockManager waiting, int locks)
      throws Exception {
    List<String> names = new ArrayList<>();
    List<Lease> held = new ArrayList<>();
    List<CompletableFuture<?>> over = new ArrayList<>();
    List<CompletableFuture<Lease>> cancelled = new ArrayList<>();
    for (int i = 0; i < locks; i++) {
      String name = bench.name();
      names.add(name);
      held.add(holder.lock(name).acquire());
      DistributedLock lock = waiting.lock(name);
      over.add(lock.tryAcquireAsync(TimeScale.millis(50)).toCompletableFuture());
      cancelled.add(lock.acquireAsync().toCompletableFuture());
    }
    for (CompletableFuture<?> timed : over) {
      // Refused, or, on a slow machine, failed without an answer in such a short wait.
      Await.until("its time is up", timed::isDone);
    }
    List<CompletableFuture<Void>> served = new ArrayList<>();
    for (String name : names) {
      served.add(
          waiting.lock(name).acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture());
    }
    cancelled.forEach(waiter -> waiter.cancel(true));
    held.forEach(Lease::release);
    for (CompletableFuture<Void> one : served) {
      Await.value(one);
    }
    return names;
  }

  /** A scheduler that counts the tasks that are neither done nor cancelled. */
  private static final class CountingTimers implements Scheduler, AutoCloseable {
    private final ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger pending = new AtomicInteger();

    int pending() {
      return pending.get();
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
      pending.incrementAndGet();
      var future =
          pool.schedule(
              () -> {
                pending.decrementAndGet();
                task.run();
              },
              Math.max(0, delay.toNanos()),
              TimeUnit.NANOSECONDS);
      return () -> {
        if (future.cancel(false)) {
          pending.decrementAndGet();
        }
      };
    }

    @Override
    public void close() {
      pool.shutdownNow();
    }
  }
}
