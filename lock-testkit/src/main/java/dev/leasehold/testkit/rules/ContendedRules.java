package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Checks that an empty result means "contended" and nothing else. */
final class ContendedRules {
  private static final Duration COMMAND = TimeScale.seconds(1);
  private static final Duration SHORT = TimeScale.millis(50);
  private static final Duration LONG = TimeScale.seconds(120);

  /** Long enough to be refused even on a slow machine. */
  private static final Duration CERTAIN = TimeScale.seconds(3);

  private static final int CROWD = 8;

  /** Fewer threads where each question is a call of its own, which outlives the caller's wait. */
  private static final int FEW = 3;

  /** Together these take longer than the command time-out, so that some calls fail by it. */
  private static final int TRIES = 30;

  private static final int FREE_TRIES = 200;

  /** Waits from below a typical round trip to about one. */
  private static final List<Duration> SHORTEST =
      List.of(
          Duration.ofNanos(50_000),
          Duration.ofNanos(100_000),
          Duration.ofNanos(200_000),
          Duration.ofMillis(1),
          Duration.ofMillis(2));

  /** A timed attempt, which returns whether it came back empty. */
  private interface Attempt {
    boolean isEmpty() throws Exception;
  }

  // ---- the store says nothing ----

  @Rule(value = "WA-11", shows = "the server is stopped", needs = Need.PAUSE)
  void stopped(Bench bench) throws Exception {
    stopped(bench, manager -> attempts(manager.lock(bench.name())));
  }

  @Rule(
      value = "WA-11",
      shows = "the server is stopped, of a read/write lock",
      also = Guarantee.SHARED,
      needs = Need.PAUSE)
  void stoppedSides(Bench bench) throws Exception {
    stopped(
        bench,
        manager -> {
          DistributedReadWriteLock sides = manager.readWriteLock(bench.name());
          List<Attempt> attempts = new ArrayList<>(attempts(sides.read()));
          attempts.addAll(attempts(sides.write()));
          return attempts;
        });
  }

  @Rule(
      value = "WA-11",
      shows = "the server is stopped, of a semaphore",
      also = Guarantee.PERMITS,
      needs = Need.PAUSE)
  void stoppedPermits(Bench bench) throws Exception {
    stopped(
        bench,
        manager -> {
          DistributedSemaphore permits = manager.semaphore(bench.name(), 3);
          return List.of(
              () -> permits.tryAcquire(1, SHORT).isEmpty(),
              () -> permits.tryAcquire(2, SHORT).isEmpty(),
              () -> Await.value(permits.tryAcquireAsync(1, SHORT)).isEmpty());
        });
  }

  @Rule(
      value = "WA-11",
      shows = "the server is stopped, of a latch",
      also = Guarantee.LATCH,
      needs = Need.PAUSE)
  void stoppedLatch(Bench bench) throws Exception {
    stopped(
        bench,
        manager -> {
          DistributedLatch latch = manager.latch(bench.name());
          latch.open(1, LONG);
          return List.of(() -> !latch.await(SHORT), () -> !Await.value(latch.awaitAsync(SHORT)));
        });
  }

  @Rule(value = "WA-11", shows = "the server is stopped, of several locks", needs = Need.PAUSE)
  void stoppedSeveral(Bench bench) throws Exception {
    stopped(
        bench,
        FEW,
        manager ->
            attempts(
                bench
                    .site()
                    .backend()
                    .all(manager, List.of(bench.name(), bench.name()), LockOptions.fixed(LONG))));
  }

  private static List<Attempt> attempts(DistributedLock lock) {
    return List.of(
        () -> lock.tryAcquire(SHORT).isEmpty(),
        () -> Await.value(lock.tryAcquireAsync(SHORT)).isEmpty());
  }

  private interface Attempts {
    List<Attempt> on(LockManager manager);
  }

  /**
   * Many threads ask repeatedly while the lock is free; the ways to ask are spread over the
   * threads.
   */
  private static void stopped(Bench bench, Attempts attempts) throws Exception {
    // Under FAIR each thread's question is a call of its own.
    stopped(bench, bench.guarantees().contains(Guarantee.FAIR) ? FEW : CROWD, attempts);
  }

  private static void stopped(Bench bench, int threads, Attempts attempts) throws Exception {
    Site site = bench.ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    FaultRules.works(manager, bench.name());
    List<Attempt> ways = attempts.on(manager);
    site.server().pause();
    try {
      List<CompletableFuture<Integer>> crowd = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Attempt way = ways.get(i % ways.size());
        crowd.add(bench.onThread(() -> empties(way, TRIES)));
      }
      int empty = 0;
      for (CompletableFuture<Integer> one : crowd) {
        empty += Await.value(one);
      }
      Check.equal(0, empty, "how many were empty of " + threads * TRIES);
    } finally {
      site.server().resume();
    }
  }

  private static int empties(Attempt attempt, int tries) throws Exception {
    int empty = 0;
    for (int i = 0; i < tries; i++) {
      try {
        empty += attempt.isEmpty() ? 1 : 0;
      } catch (LockStoreException unanswered) {
        // as required
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof LockStoreException)) {
          throw e;
        }
      }
    }
    return empty;
  }

  // ---- the wait is short ----

  @Rule(value = "WA-11", shows = "the lock is free, and the wait is short")
  void free(Bench bench) throws Exception {
    LockManager manager = bench.site().open();
    FaultRules.works(manager, bench.name());
    isNeverEmpty(bench.fixed(manager, bench.name(), LONG));
  }

  @Rule(value = "WA-11", shows = "several locks are free, and the wait is short")
  void severalFree(Bench bench) throws Exception {
    LockManager manager = bench.site().open();
    FaultRules.works(manager, bench.name());
    List<String> names = List.of(bench.name(), bench.name());
    isNeverEmpty(bench.site().backend().all(manager, names, LockOptions.fixed(LONG)));
  }

  private static void isNeverEmpty(DistributedLock lock) throws Exception {
    for (int i = 0; i < FREE_TRIES; i++) {
      Duration wait = SHORTEST.get(i % SHORTEST.size());
      boolean onceMore = i % 7 == 0; // finds what the previous attempt left behind
      Check.equal(0, empties(() -> isEmpty(lock.tryAcquire(wait)), 1), "empty after " + wait);
      if (onceMore) {
        Check.equal(
            0,
            empties(() -> isEmpty(lock.tryAcquire()), 1),
            "empty for a request that does not wait");
      }
    }
  }

  private static boolean isEmpty(Optional<Lease> taken) {
    taken.ifPresent(Lease::release);
    return taken.isEmpty();
  }

  @Rule(value = "WA-11", shows = "through a lock view, which waits for its first answer")
  void freeThroughAView(Bench bench) throws Exception {
    LockManager manager = bench.site().open();
    FaultRules.works(manager, bench.name());
    Lock view = bench.fixed(manager, bench.name(), LONG).asLock();
    for (int i = 0; i < FREE_TRIES; i++) {
      Duration wait = SHORTEST.get(i % SHORTEST.size());
      boolean taken = Answers.answered(() -> view.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS));
      Check.that(taken, "a free lock is taken, of a wait of " + wait);
      view.unlock();
    }
  }

  // ---- the store says held ----

  @Rule(value = "WA-11", shows = "a held lock, and many requests of one process")
  void held(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.fixed(bench.site().open(), name, LONG).acquire();
    LockManager manager = bench.site().open();
    FaultRules.works(manager, bench.name());
    DistributedLock lock = bench.fixed(manager, name, LONG);
    List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      Duration wait = CERTAIN.plus(TimeScale.millis(10L * i));
      crowd.add(bench.onThread(() -> lock.tryAcquire(wait).isEmpty()));
    }
    for (CompletableFuture<Boolean> one : crowd) {
      Check.that(Await.value(one), "each is refused");
    }
    Lock view = lock.asLock();
    Check.that(
        !Answers.answered(() -> view.tryLock(1, TimeUnit.MILLISECONDS)),
        "the view is refused, too");
    Check.that(held.isValid(), "the holder was left alone");
  }

  @Rule(
      value = "WA-11",
      shows = "permits that a process keeps taking: one request is enough",
      also = Guarantee.PERMITS,
      needs = Need.STORE)
  void busyPermits(Bench bench) throws Exception {
    Faults faults = new Faults();
    DistributedSemaphore permits = bench.site().open(faults).semaphore(bench.name(), 2);
    List<CompletableFuture<Integer>> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(bench.onThread(() -> taken(permits, TRIES)));
    }
    int taken = 0;
    for (CompletableFuture<Integer> one : crowd) {
      taken += Await.value(one);
    }
    Check.that(taken > 0, "some are taken");
    // The threads' own releases, which are always in flight here, must not make refusals uncertain.
    Check.atMost(
        2L * CROWD * TRIES, faults.count(Op.ACQUIRE), "requests of callers that do not wait");
  }

  private static int taken(DistributedSemaphore permits, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += isEmpty(permits.tryAcquire()) ? 0 : 1;
    }
    return taken;
  }
}
