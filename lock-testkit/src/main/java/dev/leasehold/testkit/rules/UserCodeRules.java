package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks that code outside the engine, a user's or a store's, harms no other lease. */
final class UserCodeRules {
  /** More than an engine is likely to have threads for callbacks. */
  private static final int MANY = 100;

  private static final Duration LEASE = TimeScale.millis(900);
  private static final Duration BRIEF = TimeScale.millis(300);
  private static final Duration LONG = TimeScale.seconds(30);
  private static final Duration SLACK = TimeScale.seconds(1);

  // ---- LO-5 ----

  // Catches an engine whose renewals, time-outs or signals share threads with callbacks.
  @Rule(value = "LO-5", shows = "a hundred continuations that block", timed = true)
  void manyThatBlock(Bench bench) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    Thread rule = Thread.currentThread();
    LockManager manager = bench.site().open();
    LockManager other = bench.site().open();
    try {
      Lease kept = bench.automatic(manager, bench.name(), LEASE).acquire();
      String taken = bench.name();
      Lease theirs = bench.fixed(other, taken, LONG).acquire();
      Runnable acquisition =
          () ->
              bench
                  .fixed(manager, bench.name(), LONG)
                  .acquireAsync()
                  .thenAccept(
                      lease -> {
                        if (Thread.currentThread() != rule) { // equal if it was already granted
                          block(blocked, end);
                        }
                      });
      for (int i = 0; i < MANY; i++) {
        acquisition.run();
      }
      Await.until(
          "some of them block",
          () -> {
            acquisition.run(); // on a busy machine all others may have been granted already
            return blocked.get() > 0;
          });
      long begun = System.nanoTime();
      Check.that(
          manager.lock(taken).tryAcquire(LEASE).isEmpty(), "a lock that another has is refused");
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      Check.atMost(LEASE.plus(SLACK), took, "how long a timed attempt takes meanwhile");
      Lease ends = bench.fixed(manager, bench.name(), BRIEF).acquire();
      Await.until("its lease ends", () -> !ends.isValid());
      Await.value(ends.lost());
      Await.pass(LEASE);
      Check.that(kept.isValid(), "a lease is renewed while continuations block");
      Check.that(blocked.get() > 0, "continuations block until now");
      kept.release();
      theirs.release();
    } finally {
      end.countDown();
    }
  }

  /** Counts as blocked until {@code end}. */
  private static void block(AtomicInteger blocked, CountDownLatch end) {
    blocked.incrementAndGet();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      blocked.decrementAndGet();
    }
  }

  @Rule(value = "LO-5", shows = "an executor that refuses", timed = true)
  void executorThatRefuses(Bench bench) throws Exception {
    LockManager manager =
        bench
            .site()
            .open(
                builder ->
                    builder.executor(
                        task -> {
                          throw new RejectedExecutionException("refused by the rule");
                        }));
    Lease kept = bench.automatic(manager, bench.name(), LEASE).acquire();
    Lease ends = bench.fixed(manager, bench.name(), BRIEF).acquire();
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    try {
      // The callback may run anywhere but on a thread that other leases need.
      ends.lost().thenRun(() -> block(told, end));
      Await.until("the loss is signalled", () -> told.get() > 0);
      Await.value(manager.lock(bench.name()).acquireAsync()).release();
      Await.pass(LEASE);
      Check.that(kept.isValid(), "a lease is renewed although the executor refuses callbacks");
      Check.that(told.get() > 0, "the callback blocks until now");
      kept.release();
    } finally {
      end.countDown();
    }
  }

  // ---- FL-2 ----

  // Catches an engine that leaks a name whose store call ended in an Error.
  @Rule(value = "FL-2", shows = "an Error thrown by the store's client", needs = Need.STORE)
  void errors(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults = new Faults().next(Op.ACQUIRE, thrown()).next(Op.RELEASE, thrown());
    LockManager manager = bench.site().open(faults);
    Check.fails(LockStoreException.class, "the attempt", manager.lock(name)::tryAcquire);
    Lease lease =
        Await.value(manager.lock(name).tryAcquireAsync(SLACK))
            .orElseThrow(() -> new AssertionError("the lock is had at the next attempt"));
    try {
      lease.release();
    } catch (LockStoreException unheard) {
      // also correct: it is retried in the background
    }
    Optional<Lease> next = manager.lock(name).tryAcquire(SLACK.multipliedBy(5));
    next.orElseThrow(() -> new AssertionError("the lock is had after the release")).release();
  }

  private static StoreFault thrown() {
    return StoreFault.throwing(() -> new AssertionError("an Error, thrown by the rule"));
  }
}
