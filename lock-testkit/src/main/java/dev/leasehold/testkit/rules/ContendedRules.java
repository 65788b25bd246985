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
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks that an empty result means "contended" and nothing else. */
final class ContendedRules extends Steps {
  private static final Duration COMMAND = TimeScale.seconds(1);
  private static final Duration SHORT = TimeScale.millis(50);

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

  // ---- the store says nothing ----

  @Rule(value = "WA-11", shows = "the server is stopped", needs = Need.PAUSE)
  void stopped() throws Exception {
    stopped(manager -> attempts(manager.lock(freshName())));
  }

  @Rule(
      value = "WA-11",
      shows = "the server is stopped, of a read/write lock",
      also = Guarantee.SHARED,
      needs = Need.PAUSE)
  void stoppedSides() throws Exception {
    stopped(
        manager -> {
          DistributedReadWriteLock sides = manager.readWriteLock(freshName());
          return Stream.of(sides.read(), sides.write()).flatMap(s -> attempts(s).stream()).toList();
        });
  }

  @Rule(
      value = "WA-11",
      shows = "the server is stopped, of a semaphore",
      also = Guarantee.PERMITS,
      needs = Need.PAUSE)
  void stoppedPermits() throws Exception {
    stopped(
        manager -> {
          DistributedSemaphore permits = manager.semaphore(freshName(), 3);
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
  void stoppedLatch() throws Exception {
    stopped(
        manager -> {
          DistributedLatch latch = manager.latch(freshName());
          latch.open(1, LONG);
          return List.of(() -> !latch.await(SHORT), () -> !Await.value(latch.awaitAsync(SHORT)));
        });
  }

  @Rule(value = "WA-11", shows = "the server is stopped, of several locks", needs = Need.PAUSE)
  void stoppedSeveral() throws Exception {
    stopped(FEW, manager -> attempts(two(manager)));
  }

  private DistributedLock two(LockManager manager) {
    return backend().all(manager, List.of(freshName(), freshName()), LockOptions.fixed(LONG));
  }

  private static List<Callable<Boolean>> attempts(DistributedLock lock) {
    return List.of(
        () -> lock.tryAcquire(SHORT).isEmpty(),
        () -> Await.value(lock.tryAcquireAsync(SHORT)).isEmpty());
  }

  /**
   * Many threads ask repeatedly while the lock is free; the ways to ask are spread over the
   * threads.
   */
  private void stopped(Function<LockManager, List<Callable<Boolean>>> attempts) throws Exception {
    // Under FAIR each thread's question is a call of its own.
    stopped(promises(Guarantee.FAIR) ? FEW : CROWD, attempts);
  }

  private void stopped(int threads, Function<LockManager, List<Callable<Boolean>>> attempts)
      throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    works(manager, freshName());
    List<Callable<Boolean>> ways = attempts.apply(manager);
    site.server().pause();
    try {
      List<Integer> empty = crowd(threads, i -> () -> empties(ways.get(i % ways.size()), TRIES));
      Check.equal(0, sum(empty), "how many were empty of " + threads * TRIES);
    } finally {
      site.server().resume();
    }
  }

  private static int sum(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
  }

  private static int empties(Callable<Boolean> attempt, int tries) throws Exception {
    int empty = 0;
    for (int i = 0; i < tries; i++) {
      try {
        empty += attempt.call() ? 1 : 0;
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
  void free() throws Exception {
    LockManager manager = open();
    works(manager, freshName());
    isNeverEmpty(fixed(manager, freshName(), LONG));
  }

  @Rule(value = "WA-11", shows = "several locks are free, and the wait is short")
  void severalFree() throws Exception {
    LockManager manager = open();
    works(manager, freshName());
    isNeverEmpty(two(manager));
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

  @Rule(value = "WA-11", shows = "through a lock view, which waits for its first answer")
  void freeThroughAView() throws Exception {
    LockManager manager = open();
    works(manager, freshName());
    Lock view = fixed(manager, freshName(), LONG).asLock();
    for (int i = 0; i < FREE_TRIES; i++) {
      Duration wait = SHORTEST.get(i % SHORTEST.size());
      boolean taken = answered(() -> view.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS));
      Check.that(taken, "a free lock is taken, of a wait of " + wait);
      view.unlock();
    }
  }

  // ---- the store says held ----

  @Rule(value = "WA-11", shows = "a held lock, and many requests of one process")
  void held() throws Exception {
    Lease held = fixed(name, LONG).acquire();
    LockManager manager = open();
    works(manager, freshName());
    DistributedLock lock = fixed(manager, name, LONG);
    crowd(CROWD, i -> () -> lock.tryAcquire(CERTAIN.plus(TimeScale.millis(10L * i))).isEmpty())
        .forEach(refused -> Check.that(refused, "each is refused"));
    Lock view = lock.asLock();
    Check.that(!answered(() -> view.tryLock(1, TimeUnit.MILLISECONDS)), "the view is refused, too");
    Check.that(held.isValid(), "the holder was left alone");
  }

  @Rule(
      value = "WA-11",
      shows = "permits that a process keeps taking: one request is enough",
      also = Guarantee.PERMITS,
      needs = Need.STORE)
  void busyPermits() throws Exception {
    Faults faults = new Faults();
    DistributedSemaphore permits = open(faults).semaphore(freshName(), 2);
    int taken = sum(crowd(CROWD, i -> () -> taken(permits, TRIES)));
    Check.that(taken > 0, "some are taken");
    Check.that(taken < CROWD * TRIES, "some are refused");
    // The threads' own releases, which are always in flight here, must not make refusals uncertain.
    Check.atMost(
        2L * CROWD * TRIES, faults.count(Op.ACQUIRE), "requests of callers that do not wait");
  }

  private static int taken(DistributedSemaphore permits, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      Optional<Lease> permit = permits.tryAcquire();
      if (permit.isPresent()) {
        taken++;
        if (i % 2 == 0) {
          stay(); // so that others are refused
        }
        permit.get().release();
      }
    }
    return taken;
  }
}
