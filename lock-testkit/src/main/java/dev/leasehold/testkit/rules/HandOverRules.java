package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
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
final class HandOverRules extends Steps {
  private static final Duration LEASE = TimeScale.seconds(1);
  private static final Duration LONGER = TimeScale.seconds(4);
  private static final Duration LONGEST = TimeScale.seconds(6);

  /** A fixed lease that may be handed over however long ago the store granted it. */
  private DistributedLock generous(LockManager manager, Duration lease) {
    HandOver generous = new HandOver(1000, Duration.ofMinutes(1));
    return manager.lock(name, LockOptions.builder().fixedLease(lease).handOver(generous).build());
  }

  /**
   * Acquires a lease that may be handed over. With fencing, the holder must have queued for it, so
   * that there is a spare token for its successor.
   */
  private Lease queued(LockManager manager, Duration lease) throws Exception {
    Lease first = generous(manager, lease).acquire();
    if (!promises(Guarantee.FENCING)) {
      return first;
    }
    CompletableFuture<Lease> second = asking(generous(manager, lease));
    first.release();
    return Await.value(second);
  }

  @Rule(
      value = "LE-5",
      shows = "after a holder that was extending its lease",
      needs = Need.STORE,
      timed = true)
  void notWhatThePredecessorAskedFor() throws Exception {
    Gate answer = new Gate();
    HandOverCount handOvers = new HandOverCount(this);
    LockManager manager =
        open(
            new Faults().next(Op.RENEW, StoreFault.answerHeld(answer)),
            builder -> builder.listener(handOvers));
    Lease held = queued(manager, LEASE);
    CompletableFuture<Lease> waiting = asking(generous(manager, LEASE));
    CompletableFuture<Boolean> extended = onThread(() -> held.extend(LONG));
    answer.awaitReached();
    CompletableFuture<Void> released = held.releaseAsync().toCompletableFuture();
    answer.open();
    Lease lease = Await.value(waiting);
    Check.atMost(LEASE, lease.remaining(), "what the next holder has left");
    Await.until("its lease ends by itself", LEASE.plus(SLACK), () -> !lease.isValid());
    Duration end = ended(LEASE).plus(SLACK);
    Check.that(
        lock().tryAcquire(end).isPresent(),
        "another process gets the lock when the lease that was asked for is over");
    Await.until("the extension and the release end", () -> extended.isDone() && released.isDone());
    handsOver(manager, handOvers);
  }

  /** The twin: if the waiter asks for no more than is left, the lease is handed over. */
  private void handsOver(LockManager manager, HandOverCount handOvers) throws Exception {
    nextName();
    Lease held = queued(manager, LONGER);
    CompletableFuture<Lease> waiting = asking(generous(manager, LONGER));
    held.release();
    Await.value(waiting).release();
    handOvers.awaitAny();
  }

  @Rule(value = "LE-5", shows = "after a waiter that gave up", needs = Need.STORE, timed = true)
  void notWhatAnotherWaiterAskedFor() throws Exception {
    Gate answer = new Gate();
    LockManager manager = open(new Faults().next(Op.RENEW, StoreFault.answerHeld(answer)));
    Lease held = queued(manager, LONGER);
    CompletableFuture<Lease> first = asking(generous(manager, LONGER));
    CompletableFuture<Lease> second = asking(generous(manager, LONGEST));
    CompletableFuture<Void> released = held.releaseAsync().toCompletableFuture();
    // Without hand-over the first waiter is granted the lock by the store; or the second, if each
    // has its own place in the store's line and the second's request arrived sooner.
    Await.until(
        "the lease is renewed for the first in line, or is one's own",
        () -> answer.isReached() || first.isDone() || second.isDone());
    Check.that(
        answer.isReached() || !new HandOverCount(this).mayBe(),
        "the lease is about to be handed over");
    if (!first.cancel(false)) {
      Await.value(first).releaseAsync();
    }
    answer.open();
    Lease lease = Await.value(second);
    Duration expected = LONGEST.minus(LONGEST.dividedBy(100)).minus(TimeScale.seconds(1));
    Check.atLeast(expected, lease.remaining(), "what the next holder has left");
    lease.release();
    Await.until("the release ends", released::isDone);
  }
}
