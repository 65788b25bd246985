package dev.leasehold.testkit.sim;

import static dev.leasehold.testkit.sim.Rig.assertBetween;
import static dev.leasehold.testkit.sim.Rig.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A waiter that is handed a lease gets what it asked for, whatever its predecessor had or had
 * begun.
 */
@ExtendWith(QuietLog.class)
class EngineHandOverTest {
  private static final HandOver GENEROUS = new HandOver(1000, Duration.ofHours(1));
  private static final LockOptions TWO_SECONDS = fixed(ms(2000));

  private final Rig rig = new Rig();

  private static LockOptions fixed(Duration lease) {
    return LockOptions.builder().fixedLease(lease).handOver(GENEROUS).build();
  }

  private static LockOptions automatic(Duration lease) {
    return LockOptions.builder().automaticLease(lease).handOver(GENEROUS).build();
  }

  private CompletionStage<Lease> waiting(LockOptions options) {
    return rig.client.lock("l", options).acquireAsync();
  }

  private static double left(Lease lease) {
    return lease.remaining().toNanos() / 1e6;
  }

  private double leftOnServer() {
    return rig.server.peek("l").orElseThrow().remaining().toNanos() / 1e6;
  }

  /** An automatic lease whose renewals fail until this little is left, when they are slow. */
  private Lease almostOver(double left, Duration answerAfter) {
    rig.faults.always(
        Operation.RENEW,
        Fate.refused(ms(1), new LockStoreException(LockStoreException.Kind.REFUSED, "NOPERM")));
    Lease held = rig.acquire(automatic(ms(10_000)));
    assertTrue(rig.world.runUntil(() -> left(held) < left, ms(10_000)));
    rig.faults.always(Operation.RENEW, Fate.after(ms(1), answerAfter));
    int before = rig.sent(Operation.RENEW).size();
    assertTrue(rig.world.runUntil(() -> rig.sent(Operation.RENEW).size() > before, ms(1000)));
    return held;
  }

  @Test
  void whatWasRenewedForAnotherIsNotEnough() {
    Lease held = rig.acquire(fixed(ms(10_000)));
    CompletionStage<Lease> brief = waiting(fixed(ms(10_000)));
    CompletionStage<Lease> longer = waiting(fixed(ms(19_000)));
    rig.world.run(ms(100));
    rig.faults.next(Operation.RENEW, Fate.after(ms(10)));
    held.releaseAsync();
    rig.world.run(ms(5));
    assertEquals(1, rig.sent(Operation.RENEW).size(), "it is renewed for the first in line");
    assertTrue(brief.toCompletableFuture().cancel(false));
    Lease lease = rig.world.await(longer);
    assertBetween(19_000 - 192 - 25, 19_000, left(lease));
  }

  @Test
  void aRenewalForTheOneWhoGetsItIsEnough() {
    Lease held = rig.acquire(fixed(ms(10_000)));
    CompletionStage<Lease> next = waiting(fixed(ms(19_000)));
    rig.world.run(ms(100));
    held.releaseAsync();
    Lease lease = rig.world.await(next);
    assertBetween(19_000 - 192 - 3, 19_000, left(lease));
    assertEquals(1, rig.sent(Operation.ACQUIRE).size(), "without asking anew");
  }

  /** The store would keep it for that long, were the successor killed. */
  @Test
  void aLongRenewalUnderWayDoesNotBecomeTheSuccessors() {
    Lease held = almostOver(2000, ms(300));
    CompletionStage<Lease> next = waiting(TWO_SECONDS);
    held.releaseAsync();
    Lease lease = rig.world.await(next);
    assertBetween(1900, 2000, left(lease));
    assertBetween(1900, 2000, leftOnServer());
  }

  @Test
  void aLongRenewalOfUnknownOutcomeDoesNotEither() {
    Lease held = almostOver(3000, Duration.ofMinutes(1));
    rig.world.run(held.remaining().minusMillis(1400)); // half of it passed without an answer
    rig.faults.always(Operation.RENEW, Fate.after(ms(1)));
    CompletionStage<Lease> next = waiting(TWO_SECONDS);
    held.releaseAsync();
    Lease lease = rig.world.await(next);
    assertBetween(1900, 2000, left(lease));
    assertBetween(1900, 2000, leftOnServer());
  }

  @Test
  void aPredecessorsRenewalDoesNotProlongAFixedLease() {
    Lease held = almostOver(2600, ms(800));
    rig.world.run(held.remaining().minusMillis(1985));
    CompletionStage<Lease> next = waiting(TWO_SECONDS);
    held.releaseAsync();
    Lease lease = rig.world.await(next);
    double granted = rig.now();
    Rig.Loss loss = rig.lossOf(lease);
    rig.world.run(ms(20_000));
    assertBetween(granted + 1900, granted + 2000, loss.at);
    assertEquals(Reason.EXPIRED, loss.reason());
    assertTrue(rig.server.peek("l").isEmpty());
  }
}
