package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Checks what waiting leaves behind: an acquisition that is given up keeps neither the lock nor its
 * place in the line, and no threads, timers, connections or subscriptions are left.
 */
final class AftermathRules extends Steps {
  private static final int LOCKS = 24;

  private static final Duration PAUSE = TimeScale.millis(60);
  private static final Duration WAIT = TimeScale.millis(300);
  private static final Duration COMMAND = TimeScale.seconds(8);

  // ---- WA-5 ----

  @Rule(
      value = "WA-5",
      shows = "after its time",
      needs = {Need.STORE, Need.VIEW})
  void lateForATimedAttempt() throws Exception {
    checkLateGrant(
        lock -> Check.fails(LockStoreException.class, "it", () -> lock.tryAcquire(WAIT)));
  }

  @Rule(
      value = "WA-5",
      shows = "after it was cancelled",
      needs = {Need.STORE, Need.VIEW})
  void lateForACancelledAttempt() throws Exception {
    checkLateGrant(lock -> asking(lock).cancel(true));
  }

  @Rule(
      value = "WA-5",
      shows = "after its caller completed it",
      needs = {Need.STORE, Need.VIEW})
  void lateForACompletedAttempt() throws Exception {
    checkLateGrant(
        lock ->
            Check.fails(
                CompletionException.class,
                "it",
                () -> Await.value(asking(lock).orTimeout(WAIT.toMillis(), TimeUnit.MILLISECONDS))));
  }

  @Rule(value = "WA-5", shows = "while the executor of callbacks is busy")
  void besideABusyExecutor() throws Exception {
    DistributedLock lock = lock();
    CompletableFuture<Lease> asked = asking(open(b -> b.executor(task -> {})).lock(name));
    Await.until("it has the lock", () -> isEmpty(lock.tryAcquire()));
    Check.that(asked.cancel(false), "its caller has not heard of it");
    taken(lock.tryAcquire(COMMAND), "it goes back when it is given up");
  }

  @Rule(
      value = "WA-5",
      shows = "a request completed by its caller is not sent again",
      needs = Need.STORE,
      timed = true)
  void completedAsksNoMore() throws Exception {
    Lease held = lock().acquire();
    Faults faults = new Faults();
    LockManager manager = open(faults);
    LockOptions often = LockOptions.builder().waitStrategy(WaitStrategy.every(PAUSE)).build();
    CompletableFuture<Lease> asking = asking(manager.lock(name, often));
    Await.until("it has asked again", () -> faults.count(Op.ACQUIRE) > 1);
    asking.completeExceptionally(new IllegalStateException("enough"));
    Await.pass(PAUSE.multipliedBy(2)); // for a request that was in flight
    int before = faults.count(Op.ACQUIRE);
    Await.pass(PAUSE.multipliedBy(10));
    Check.equal(before, faults.count(Op.ACQUIRE), "how often it asked, after it was given up");
    held.release();
    manager.lock(name).tryAcquire(LONG).orElseThrow().release();
  }

  private void checkLateGrant(Consumer<DistributedLock> giveUp) throws Exception {
    Gate gate = new Gate();
    Faults faults = new Faults().next(Op.ACQUIRE, StoreFault.answerHeld(gate));
    LockManager manager = open(faults, b -> b.commandTimeout(COMMAND));
    giveUp.accept(fixed(manager, name, LONG));
    gate.awaitReached();
    Await.until("the store has granted it", () -> view().look(name).isPresent());
    gate.open();
    Await.until("the grant is released", () -> view().look(name).isEmpty());
    taken(lock().tryAcquire(), "others get the lock");
  }

  @Rule(value = "WA-7", shows = "threads and timers", alone = true)
  void threadsAndTimersGoBack() throws Exception {
    CountingTimers timers = closing(new CountingTimers());
    LockManager loaded = open(b -> b.scheduler(timers));
    // A store may have timers of its own, and the manager one, however many locks there were.
    int own = timers.pending() + 1;
    LockManager other = open();
    load(other, loaded, 2);
    Await.until("no timer of a lock is left", () -> timers.pending() <= own);
    int threads = Thread.getAllStackTraces().size();
    load(other, loaded, LOCKS);
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
  void connectionsGoBack() throws Exception {
    Site site = ownSite();
    LockManager loaded = site.open();
    LockManager other = site.open();
    site.view(); // the view's connection is counted too
    load(other, loaded, 2);
    long channels = channels(site);
    List<String> names = new ArrayList<>(load(other, loaded, LOCKS));
    // A connection pool is now as large as this load needs: the same load must not enlarge it.
    long clients = connections(site);
    names.addAll(load(other, loaded, LOCKS));
    Await.until("connections are as before", () -> connections(site) <= clients);
    Await.until("subscriptions are as before", () -> channels(site) <= channels);
    for (String each : names) {
      Await.until("'" + each + "' is free", () -> site.view().look(each).isEmpty());
      Await.until("'" + each + "' has no waiters", () -> site.view().hasWaiting(each, 0));
    }
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
  private List<String> load(LockManager holder, LockManager waiting, int locks) throws Exception {
    List<String> names = new ArrayList<>();
    List<Lease> held = new ArrayList<>();
    List<CompletableFuture<?>> timed = new ArrayList<>();
    List<CompletableFuture<Lease>> cancelled = new ArrayList<>();
    for (int i = 0; i < locks; i++) {
      names.add(freshName());
      held.add(holder.lock(names.get(i)).acquire());
      DistributedLock lock = waiting.lock(names.get(i));
      timed.add(lock.tryAcquireAsync(TimeScale.millis(50)).toCompletableFuture());
      cancelled.add(asking(lock));
    }
    // Refused, or, on a slow machine, failed without an answer in such a short wait.
    timed.forEach(one -> Await.until("its time is up", one::isDone));
    List<CompletableFuture<Void>> served =
        names.stream().map(each -> turn(waiting.lock(each))).toList();
    cancelled.forEach(waiter -> waiter.cancel(true));
    held.forEach(Lease::release);
    served.forEach(Await::value);
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
