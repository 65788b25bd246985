package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Checks that a lease handed over inside the process has exactly the length its new holder asked
 * for.
 */
final class HandOverRules {
  private static final Duration LEASE = TimeScale.seconds(1);
  private static final Duration LONG = TimeScale.seconds(4);
  private static final Duration LONGER = TimeScale.seconds(6);
  private static final Duration VERY_LONG = TimeScale.seconds(60);
  private static final Duration SLACK = TimeScale.seconds(3);

  /** A fixed lease that may be handed over however long ago the store granted it. */
  private static DistributedLock fixed(LockManager manager, String name, Duration lease) {
    HandOver generous = new HandOver(1000, Duration.ofMinutes(1));
    return manager.lock(name, LockOptions.builder().fixedLease(lease).handOver(generous).build());
  }

  /**
   * Acquires a lease that may be handed over. With fencing, the holder must have queued for it, so
   * that there is a spare token for its successor.
   */
  private static Lease queued(Bench bench, LockManager manager, String name, Duration lease)
      throws Exception {
    Lease first = fixed(manager, name, lease).acquire();
    if (!bench.guarantees().contains(Guarantee.FENCING)) {
      return first;
    }
    CompletableFuture<Lease> second =
        fixed(manager, name, lease).acquireAsync().toCompletableFuture();
    first.release();
    return Await.value(second);
  }

  @Rule(
      value = "LE-5",
      shows = "after a holder that was extending its lease",
      needs = Need.STORE,
      timed = true)
  void notWhatThePredecessorAskedFor(Bench bench) throws Exception {
    String name = bench.name();
    Gate answer = new Gate();
    HandOverCount handOvers = new HandOverCount();
    LockManager manager =
        bench
            .site()
            .open(
                new Faults().next(Op.RENEW, StoreFault.answerHeld(answer)),
                builder -> builder.listener(handOvers));
    Lease held = queued(bench, manager, name, LEASE);
    CompletableFuture<Lease> waiting =
        fixed(manager, name, LEASE).acquireAsync().toCompletableFuture();
    CompletableFuture<Boolean> extended = bench.onThread(() -> held.extend(VERY_LONG));
    answer.awaitReached();
    CompletableFuture<Void> released = held.releaseAsync().toCompletableFuture();
    answer.open();
    Lease lease = Await.value(waiting);
    Check.atMost(LEASE, lease.remaining(), "what the next holder has left");
    Await.until("its lease ends by itself", LEASE.plus(SLACK), () -> !lease.isValid());
    Duration end = bench.ended(LEASE).plus(SLACK);
    Check.that(
        bench.site().open().lock(name).tryAcquire(end).isPresent(),
        "another process gets the lock when the lease that was asked for is over");
    Await.until("the extension and the release end", () -> extended.isDone() && released.isDone());
    handsOver(bench, manager, handOvers);
  }

  /** The twin: if the waiter asks for no more than is left, the lease is handed over. */
  private static void handsOver(Bench bench, LockManager manager, HandOverCount handOvers)
      throws Exception {
    String name = bench.name();
    Lease held = queued(bench, manager, name, LONG);
    CompletableFuture<Lease> waiting =
        fixed(manager, name, LONG).acquireAsync().toCompletableFuture();
    held.release();
    Await.value(waiting).release();
    handOvers.awaitAny(bench);
  }

  @Rule(value = "LE-5", shows = "after a waiter that gave up", needs = Need.STORE, timed = true)
  void notWhatAnotherWaiterAskedFor(Bench bench) throws Exception {
    String name = bench.name();
    Gate answer = new Gate();
    LockManager manager =
        bench.site().open(new Faults().next(Op.RENEW, StoreFault.answerHeld(answer)));
    Lease held = queued(bench, manager, name, LONG);
    CompletableFuture<Lease> first =
        fixed(manager, name, LONG).acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> second =
        fixed(manager, name, LONGER).acquireAsync().toCompletableFuture();
    CompletableFuture<Void> released = held.releaseAsync().toCompletableFuture();
    // Without hand-over the first waiter is granted the lock by the store; or the second, if each
    // has its own place in the store's line and the second's request arrived sooner.
    Await.until(
        "the lease is renewed for the first in line, or is one's own",
        () -> answer.isReached() || first.isDone() || second.isDone());
    Check.that(
        answer.isReached() || !HandOverCount.mayBe(bench), "the lease is about to be handed over");
    if (!first.cancel(false)) {
      Await.value(first).releaseAsync();
    }
    answer.open();
    Lease lease = Await.value(second);
    Duration expected = LONGER.minus(LONGER.dividedBy(100)).minus(TimeScale.seconds(1));
    Check.atLeast(expected, lease.remaining(), "what the next holder has left");
    lease.release();
    Await.until("the release ends", released::isDone);
  }
}
