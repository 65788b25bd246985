package dev.leasehold.testkit.sim;

import static dev.leasehold.testkit.sim.Rig.assertBetween;
import static dev.leasehold.testkit.sim.Rig.automatic;
import static dev.leasehold.testkit.sim.Rig.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's leases in virtual time: deadlines, renewals, losses. */
@ExtendWith(QuietLog.class)
class EngineLeaseTest {
  private static final LockOptions FIXED = LockOptions.fixed(ms(1000));
  private static final double ALLOWANCE = 12;

  private final Rig rig = new Rig();

  @Test
  void aDeadlineCountsFromBeforeSendingLessTheAllowance() {
    rig.world.run(ms(50));
    rig.faults.next(Operation.ACQUIRE, Fate.after(ms(300), ms(200)));
    Lease lease = rig.acquire(FIXED);
    assertEquals(550, rig.now());
    assertEquals(50 + 1000 - ALLOWANCE, rig.deadline(lease));
  }

  @Test
  void eachRetryStartsTheCountAnew() {
    Lease other = rig.world.await(rig.calmClient("d").lock("l", FIXED).acquireAsync());
    CompletionStage<Lease> waiting = rig.client.lock("l", FIXED).acquireAsync();
    rig.world.run(ms(900));
    rig.world.await(other.releaseAsync());
    Lease lease = rig.world.await(waiting);
    assertBetween(1000 - ALLOWANCE - 2.1, 1000, lease.remaining().toNanos() / 1e6);
  }

  @Test
  void aGrantThatTookAsLongAsTheLeaseIsNoLease() {
    rig.faults.next(Operation.ACQUIRE, Fate.after(ms(990), ms(1)));
    CompletionStage<?> once = rig.client.lock("l", FIXED).tryAcquireAsync(Duration.ZERO);
    rig.world.run(ms(1500));
    assertInstanceOf(LockStoreException.class, Rig.failure(once));
    assertTrue(rig.server.peek("l").isEmpty(), "and it was given back");
  }

  @Test
  void anAutomaticLeaseIsRenewedAtAThirdWithJitter() {
    Lease lease = rig.acquire(automatic(ms(900)));
    rig.world.run(Duration.ofMinutes(5));
    assertTrue(lease.isValid());
    List<Rig.Message> renewals = rig.sent(Operation.RENEW);
    double last = rig.sent(Operation.ACQUIRE).get(0).nanos() / 1e6 + 2;
    Set<Long> pauses = new HashSet<>();
    for (Rig.Message renewal : renewals) {
      double at = renewal.nanos() / 1e6;
      assertBetween(270 - 15, 302, at - last);
      pauses.add(Math.round(at - last));
      last = at + 2;
    }
    assertTrue(pauses.size() > 15, () -> "no jitter: " + pauses);
    assertEquals(renewals.get(renewals.size() - 1).nanos() / 1e6 + 900 - 11, rig.deadline(lease));
  }

  @Test
  void aDayOfRenewalsTakesNoTime() {
    Lease lease = rig.acquire(LockOptions.defaults());
    rig.world.run(Duration.ofDays(1));
    assertTrue(lease.isValid());
    assertBetween(8640, 9700, rig.sent(Operation.RENEW).size());
    rig.world.await(lease.releaseAsync());
  }

  @Test
  void messagesOfRenewalDoNotGrowWithTheNumberOfLeases() {
    List<CompletionStage<Lease>> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(rig.client.lock("l" + i, LockOptions.defaults()).acquireAsync());
    }
    List<Lease> leases = all.stream().map(rig.world::await).toList();
    rig.world.run(Duration.ofMinutes(10));
    assertTrue(leases.stream().allMatch(Lease::isValid));
    assertBetween(180, 21 * 66, rig.sent(Operation.RENEW).size());
  }

  @Test
  void theSameSeedRenewsInTheSameOrder() {
    List<String> once = namesOfFirstInBatch();
    assertTrue(once.size() > 10, once::toString);
    assertEquals(once, namesOfFirstInBatch());
  }

  private static List<String> namesOfFirstInBatch() {
    Rig rig = new Rig();
    for (int i = 0; i < 20; i++) {
      rig.world.await(
          rig.client.lock("l" + i, Rig.automatic(Duration.ofMillis(500))).acquireAsync());
    }
    rig.world.run(Duration.ofSeconds(3));
    rig.faults.always(
        Operation.RENEW,
        Fate.refused(ms(1), new LockStoreException(LockStoreException.Kind.UNAVAILABLE, "no")));
    rig.world.run(Duration.ofSeconds(1)); // tries that fail come again at one time
    return rig.sent(Operation.RENEW).stream().map(sent -> sent.call().lock()).toList();
  }

  @Test
  void unansweredRenewalsMoveNothingAndTheLossIsSignalledAtTheDeadline() {
    Lease lease = rig.acquire(automatic(ms(9000)));
    Rig.Loss loss = rig.lossOf(lease);
    double deadline = rig.deadline(lease);
    rig.faults.always(Operation.RENEW, Fate.requestLost());
    rig.world.run(ms(5000));
    assertEquals(deadline, rig.deadline(lease));
    rig.world.run(Duration.ofMinutes(1));
    assertEquals(deadline, loss.at);
    assertEquals(Reason.EXPIRED, loss.reason());
    assertFalse(lease.isValid());
    assertBetween(3, 12, rig.sent(Operation.RENEW).size());
  }

  @Test
  void failedRenewalsMoveNothingAndAreRetriedOften() {
    Lease lease = rig.acquire(automatic(ms(9000)));
    Rig.Loss loss = rig.lossOf(lease);
    double deadline = rig.deadline(lease);
    rig.faults.always(
        Operation.RENEW,
        Fate.refused(
            ms(1), new LockStoreException(LockStoreException.Kind.UNAVAILABLE, "LOADING")));
    rig.world.run(Duration.ofMinutes(1));
    assertEquals(deadline, loss.at);
    int tries = rig.sent(Operation.RENEW).size();
    assertBetween(15, 100, tries);
  }

  @ParameterizedTest
  @ValueSource(ints = {900, 9000, 30_000})
  void aLostRenewalIsSurvived(int lease) {
    Lease held = rig.acquire(automatic(ms(lease)));
    rig.world.run(ms(lease / 10));
    rig.faults.next(Operation.RENEW, Fate.requestLost());
    rig.world.run(ms(lease));
    assertTrue(held.isValid());
    rig.faults.next(Operation.RENEW, Fate.replyLost(ms(1)));
    rig.world.run(ms(3L * lease));
    assertTrue(held.isValid());
    rig.faults.next(Operation.RENEW, Fate.cutAfter(ms(1), ms(2)));
    rig.world.run(ms(3L * lease));
    assertTrue(held.isValid());
    rig.world.await(held.releaseAsync());
  }

  @Test
  void anAnswerAfterTheDeadlineRevivesNothing() {
    Lease lease = rig.acquire(automatic(ms(900)));
    Rig.Loss loss = rig.lossOf(lease);
    double deadline = rig.deadline(lease);
    rig.faults.always(Operation.RENEW, Fate.after(ms(1), ms(1500)));
    rig.world.run(ms(5000));
    assertEquals(deadline, loss.at);
    assertEquals(Reason.EXPIRED, loss.reason());
    assertFalse(lease.isValid());
  }

  @Test
  void aKeyThatIsGoneIsNoticedByTheNextRenewal() {
    Lease lease = rig.acquire(automatic(ms(900)));
    Rig.Loss loss = rig.lossOf(lease);
    rig.world.run(ms(100));
    rig.server.loseData();
    rig.world.run(ms(5000));
    assertEquals(Reason.NOT_OWNER, loss.reason());
    assertBetween(250, 310, loss.at);
    int sent = rig.messages.size();
    rig.world.run(ms(5000));
    assertEquals(sent, rig.messages.size(), "nothing is sent for a lost lease");
  }

  /** With its twin: where renewals look at no token, nothing is noticed and two hold the lock. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatWasTakenOverIsNoticedByTheNextRenewal(boolean flawed) {
    SimWorld world = new SimWorld(1);
    SimServer server =
        new SimServer(world.node("server"), flawed ? Set.of(Flaw.RENEWAL_IGNORES_TOKEN) : Set.of());
    SimNode one = world.node("one");
    SimNode two = world.node("two");
    FaultPlan calm = FaultPlan.calm(Rig.WAY);
    SimClient first = SimClient.open(one, server.connect(one, calm));
    SimClient second = SimClient.open(two, server.connect(two, calm));
    Lease mine = world.await(first.lock("l", automatic(ms(900))).acquireAsync());
    server.loseData();
    Lease other = world.await(second.lock("l", automatic(ms(900))).acquireAsync());
    world.run(ms(400));
    assertEquals(flawed, mine.isValid());
    assertTrue(other.isValid());
  }

  @Test
  void aFixedLeaseIsNeverProlongedOnItsOwn() {
    Lease lease = rig.acquire(FIXED);
    Rig.Loss loss = rig.lossOf(lease);
    rig.world.run(ms(5000));
    assertEquals(1000 - ALLOWANCE, loss.at);
    assertEquals(Reason.EXPIRED, loss.reason());
    assertEquals(List.of(), rig.sent(Operation.RENEW));
    CompletionStage<Void> release = lease.releaseAsync();
    rig.world.run(ms(100));
    assertInstanceOf(LeaseLostException.class, Rig.failure(release));
  }

  @Test
  void aReentryGrowsAFixedLeaseOnceAndOnlyIfItWantsMore() {
    LockOwner owner = LockOwner.unique("o");
    DistributedLock lock = rig.client.lock("l", FIXED).as(owner);
    Lease outer = rig.world.await(lock.acquireAsync());
    rig.world.run(ms(500));
    DistributedLock shorter = rig.client.lock("l", LockOptions.fixed(ms(100))).as(owner);
    rig.world.await(shorter.acquireAsync());
    assertEquals(0, rig.sent(Operation.RENEW).size());
    assertEquals(1000 - ALLOWANCE, rig.deadline(outer));
    double now = rig.now();
    Lease inner = rig.world.await(lock.acquireAsync());
    assertEquals(1, rig.sent(Operation.RENEW).size());
    assertEquals(now + 1000 - ALLOWANCE, rig.deadline(outer));
    assertEquals(outer.fencingToken(), inner.fencingToken());
    assertEquals(3, inner.holdCount());
    rig.world.run(ms(5000));
    assertEquals(1, rig.sent(Operation.RENEW).size());
    assertFalse(outer.isValid());
  }

  /** With its twin: a store that shortens lets the lock go while its holder counts on it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRepeatedAcquisitionAfterAGrowthDoesNotShorten(boolean flawed) {
    SimWorld world = new SimWorld(1);
    SimServer server =
        new SimServer(world.node("server"), flawed ? Set.of(Flaw.GRANT_SHORTENS) : Set.of());
    ScriptedFaults faults = new ScriptedFaults(FaultPlan.calm(Rig.WAY));
    faults.next(Operation.ACQUIRE, Fate.repeated(ms(1), ms(500), ms(1)));
    SimNode node = world.node("c");
    SimClient client = SimClient.open(node, server.connect(node, faults));
    LockOwner owner = LockOwner.unique("o");
    Lease lease = world.await(client.lock("l", FIXED).as(owner).acquireAsync());
    world.await(client.lock("l", LockOptions.fixed(ms(10_000))).as(owner).acquireAsync());
    world.run(ms(5000));
    assertTrue(lease.isValid());
    assertEquals(flawed, server.peek("l").isEmpty());
  }

  @Test
  void extendLastsAtLeastAsLongAsAskedAndNeverShortens() {
    Lease lease = rig.acquire(FIXED);
    rig.faults.always(Operation.RENEW, Fate.atOnce());
    double now = rig.now();
    assertTrue(lease.extend(ms(5000)));
    assertBetween(now + 5000, now + 5002, rig.deadline(lease));
    assertTrue(lease.extend(ms(10)));
    assertBetween(now + 5000, now + 5002, rig.deadline(lease));
    assertEquals(1, rig.sent(Operation.RENEW).size());
    rig.faults.always(
        Operation.RENEW,
        Fate.refused(ms(0), new LockStoreException(LockStoreException.Kind.REFUSED, "NOPERM")));
    rig.world.run(ms(6000));
    assertFalse(lease.extend(ms(5000)), "what is lost stays lost");
  }

  @Test
  void noRenewalIsSentAfterTheRelease() {
    for (long seed = 1; seed <= 300; seed++) {
      Rig one =
          new Rig(
              new SimWorld(seed, SimWorld.Ties.SEEDED), SimClock.exact(), UnaryOperator.identity());
      one.node.busyExecutor(ms(20));
      Lease lease = one.acquire(automatic(ms(90)));
      one.world.run(ms(20 + seed % 40));
      CompletionStage<Void> release = lease.releaseAsync();
      one.world.run(ms(1000));
      assertTrue(release.toCompletableFuture().isDone());
      int last = one.messages.size() - 1;
      assertEquals(Operation.RELEASE, one.messages.get(last).call().operation(), "seed " + seed);
      assertEquals(1, one.sent(Operation.RELEASE).size());
      assertTrue(one.server.peek("l").isEmpty());
    }
  }

  @Test
  void aRenewalUnderWayAtTheReleaseDoesNotReviveTheLock() {
    Lease lease = rig.acquire(automatic(ms(900)));
    rig.faults.next(Operation.RENEW, Fate.after(ms(500), ms(1)));
    rig.world.runUntil(() -> !rig.sent(Operation.RENEW).isEmpty(), ms(400));
    rig.world.await(lease.releaseAsync());
    assertTrue(rig.server.peek("l").isEmpty());
    rig.world.run(ms(5000));
    assertTrue(rig.server.peek("l").isEmpty());
  }

  @Test
  void afterALossTheOwnerMustUnwindFirst() {
    LockOwner owner = LockOwner.unique("o");
    DistributedLock lock = rig.client.lock("l", FIXED).as(owner);
    Lease first = rig.world.await(lock.acquireAsync());
    Lease second = rig.world.await(lock.acquireAsync());
    Rig.Loss loss = rig.lossOf(second);
    rig.world.run(ms(2000));
    assertEquals(Reason.EXPIRED, loss.reason());
    assertThrows(LeaseLostException.class, () -> rig.world.await(lock.acquireAsync()));
    assertThrows(LeaseLostException.class, () -> rig.world.await(first.releaseAsync()));
    assertThrows(LeaseLostException.class, () -> rig.world.await(lock.acquireAsync()));
    assertThrows(LeaseLostException.class, () -> rig.world.await(second.releaseAsync()));
    Lease anew = rig.world.await(lock.acquireAsync());
    assertFalse(first.isValid() || second.isValid());
    assertTrue(anew.isValid());
  }

  @Test
  void aPausedHolderFindsItsLeaseInvalidWhenItWakes() {
    Lease lease = rig.acquire(automatic(ms(900)));
    Rig.Loss loss = rig.lossOf(lease);
    List<Boolean> validOnWaking = new ArrayList<>();
    rig.node.pause(ms(2000));
    rig.node.executor().execute(() -> validOnWaking.add(lease.isValid()));
    rig.world.run(ms(5000));
    assertEquals(List.of(false), validOnWaking);
    assertEquals(Reason.EXPIRED, loss.reason());
  }

  /** The allowance is a hundredth and 2 ms: clocks may differ by that, not by more. */
  @ParameterizedTest
  @ValueSource(ints = {-9_900, 0, 9_900, -50_000})
  void theHolderGivesUpBeforeTheServerDoes(int partsPerMillion) {
    Rig drifting =
        new Rig(new SimWorld(1), SimClock.fasterBy(partsPerMillion), UnaryOperator.identity());
    Lease lease = drifting.acquire(LockOptions.fixed(Duration.ofMinutes(10)));
    Rig.Loss loss = drifting.lossOf(lease);
    assertTrue(
        drifting.world.runUntil(() -> drifting.server.peek("l").isEmpty(), Duration.ofMinutes(11)));
    boolean within = partsPerMillion > -10_000;
    assertEquals(within ? 1 : 0, loss.all.size());
  }

  @Test
  void aClockThatOverflowsHarmsNothing() {
    Rig old =
        new Rig(
            new SimWorld(1),
            new SimClock(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos(), 0),
            UnaryOperator.identity());
    Lease lease = old.acquire(automatic(ms(900)));
    old.world.run(ms(10_000));
    assertTrue(lease.isValid());
    assertTrue(old.node.ticker().nanos() < 0);
    old.world.await(lease.releaseAsync());
  }
}
