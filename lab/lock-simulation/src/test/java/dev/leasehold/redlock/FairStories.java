package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The required behaviour of the scripts in fair mode. Static methods without parameters; each
 * throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class FairStories {
  private static final String OURS = FencedScripts.inOrder("s0");
  private static final String THEIRS = FencedScripts.inOrder("s1");
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);

  private final ScriptScene scene = new ScriptScene();
  private final FencedScripts ours = new FencedScripts(Script.ACQUIRE, OURS);
  private final FencedScripts theirs = new FencedScripts(Script.SETNX_ACQUIRE, THEIRS);

  /** Requests as to a node of a quorum, but without the guard. */
  private final FencedScripts node = new FencedScripts(Script.ACQUIRE, THEIRS);

  private final List<String> told = new ArrayList<>();

  private FairStories() {
    for (String store : List.of(OURS, THEIRS)) {
      String channel = new String(Publishing.channelOf(store), US_ASCII);
      scene.server.subscribe(channel, (from, message) -> told.add(store + ": " + message));
    }
  }

  private long asks(FencedScripts store, LeaseKey key, IfHeld ifHeld, Duration waited) {
    scene.micros += 1000;
    return scene.number(
        store.voteInOrder(
            new AcquireRequest(key, LEASE, ifHeld).repeated().withWaited(waited), 0, HOW));
  }

  private long asks(FencedScripts store, LeaseKey key) {
    return asks(store, key, IfHeld.ENQUEUE, Duration.ZERO);
  }

  private void ends() {
    scene.server.call("DEL", LOCK); // like an expiry: sends no message
  }

  static void laterArrivalDoesNotOvertake() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.ends();
    check(s.asks(s.ours, THREE, IfHeld.REFUSE, Duration.ZERO) < 0, "it passed the first");
    check(s.told.equals(List.of(THEIRS + ": a c:2")), "told: " + s.told);
    check(s.asks(s.theirs, TWO) > 0, "it is not kept for the first");
  }

  static void fencesIncreaseInFairMode() {
    FairStories s = new FairStories();
    long first = s.asks(s.ours, ONE);
    s.scene.micros -= 1000;
    s.scene.number(s.ours.release(ONE, HOW));
    check(s.asks(s.ours, TWO) > first, "the same fence twice");
  }

  static void shorterWaitDoesNotOvertake() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.ends();
    s.scene.micros += 1_000_000;
    check(s.asks(s.ours, THREE, IfHeld.ENQUEUE, Duration.ofMillis(500)) < 0, "it passed the first");
  }

  static void firstInLineAcquires() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.ends();
    check(s.asks(s.theirs, TWO) > 0, "the first is refused");
    check(s.told.isEmpty(), "told: " + s.told);
  }

  static void missedTurnRemainsAheadOfLaterArrivals() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.ends();
    check(s.asks(s.ours, THREE, IfHeld.ENQUEUE, Duration.ofSeconds(5)) > 0, "it came first");
  }

  static void newcomerIsLastAfterAClockStepBack() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.ends();
    s.scene.micros -= 5_000_000;
    check(s.asks(s.ours, THREE) < 0, "it passed the first");
  }

  static void nodeUsesProposedPlaces() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    long ahead = s.scene.micros + 100_000;
    s.scene.number(s.node.voteInOrder(waiting(TWO, Duration.ZERO), ahead, HOW));
    s.ends();
    AcquireRequest later = waiting(THREE, Duration.ofMillis(50));
    long reply = s.scene.number(s.node.voteInOrder(later, ahead + 100_000, HOW));
    check(reply < 0, "it passed the first, whose place is before its own on all nodes");
  }

  private static AcquireRequest waiting(LeaseKey key, Duration waited) {
    return new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated().withWaited(waited);
  }

  static void nextListeningWaiterIsNotified() {
    FairStories s = new FairStories();
    FencedScripts gone = new FencedScripts(Script.ACQUIRE, FencedScripts.inOrder("s2"));
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.asks(gone, new LeaseKey("a", "c:4"));
    s.asks(s.ours, THREE);
    s.scene.number(s.ours.release(ONE, HOW));
    check(s.told.equals(List.of(THEIRS + ": a c:2", OURS + ": a c:3")), "told: " + s.told);
  }

  private static final LeaseKey FOUR = new LeaseKey("a", "c:4");
  private static final LeaseKey FIVE = new LeaseKey("a", "c:5");

  /**
   * A store has missed one turn, and has two more waiters, the second of them behind another
   * store's.
   */
  private static FairStories late() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.asks(s.theirs, THREE);
    s.asks(s.ours, FIVE);
    s.asks(s.theirs, FOUR);
    s.scene.number(s.ours.release(ONE, HOW));
    s.told.clear();
    s.ends();
    return s;
  }

  static void unresponsiveStoreIsPassedOver() {
    FairStories s = late();
    check(s.asks(s.ours, FIVE) > 0, "a store that does not come is waited for again");
    check(
        s.told.equals(List.of(THEIRS + ": a c:2", THEIRS + ": a c:3", THEIRS + ": a c:4")),
        "those that are passed come back to their places: told " + s.told);
    s.asks(s.theirs, FOUR, IfHeld.ENQUEUE, Duration.ofSeconds(5));
    s.asks(s.ours, ONE);
    s.scene.number(s.ours.release(FIVE, HOW));
    check(s.asks(s.theirs, FOUR) > 0, "its place is lost");
  }

  static void firstInLineAcquiresAfterItsTurn() {
    FairStories s = late();
    check(s.asks(s.theirs, TWO) > 0, "the first is refused");
    s.told.clear();
    s.scene.number(s.theirs.release(TWO, HOW));
    check(s.told.equals(List.of(THEIRS + ": a c:3", OURS + ": a c:5")), "told: " + s.told);
  }

  static void askingStoreLosesOneMissedTurn() {
    FairStories s = late();
    check(s.asks(s.theirs, FOUR) < 0, "it passed one of its own store that came before");
    check(s.asks(s.theirs, THREE) > 0, "it is not kept for the first");
  }

  static void waiterThatMissedItsTurnLosesItsPlaceOnANode() {
    FairStories s = late();
    AcquireRequest five = new AcquireRequest(FIVE, LEASE, IfHeld.ENQUEUE).repeated();
    s.scene.send(s.ours.voteInOrder(five, s.scene.micros, HOW));
    check(s.asks(s.theirs, THREE) > 0, "it is not kept for the first");
  }

  static void onlyWaitersWhoseTurnItIsAreNotified() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.theirs, TWO);
    s.asks(s.theirs, new LeaseKey("a", "c:4"));
    s.asks(s.ours, THREE);
    s.scene.number(s.ours.release(ONE, HOW));
    // The first waiter of the next store is notified, too, and asks when the turn is over.
    check(s.told.equals(List.of(THEIRS + ": a c:2", OURS + ": a c:3")), "told: " + s.told);
  }

  static void otherStoresReceiveOnlyTheName() {
    FairStories s = new FairStories();
    s.scene.listen("s0");
    String channel = new String(Publishing.channelOf("s0"), US_ASCII);
    s.scene.server.subscribe(channel, (from, message) -> s.told.add("s0: " + message));
    s.asks(s.ours, ONE);
    s.scene.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.scene.number(s.ours.release(ONE, HOW));
    check(s.told.equals(List.of("s0: a")), "told: " + s.told);
  }

  /** Adds waiters of a store at places from 0; a fraction marks those that missed a turn. */
  private void stand(String store, int count, String fraction) {
    for (int i = 0; i < count; i++) {
      scene.server.call("ZADD", LOCK + ":wait", i + fraction, store + ":t" + i);
    }
  }

  static void aHundredWaitersOfALateStoreArePassedOver() {
    FairStories s = new FairStories();
    s.stand(THEIRS, 101, "");
    s.scene.server.call("ZADD", LOCK + ":wait", "0.5", THEIRS + ":t0");
    check(s.asks(s.ours, FIVE) < 0, "more than a hundred are passed");
    check(s.told.size() == 101, "told: " + s.told.size());
    check(s.told.get(100).equals(THEIRS + ": a t100"), "told: " + s.told);
  }

  static void aHundredWaitersArePassedOverOnANode() {
    check(!passesOnANode(99), "it passed one that did not miss its turn");
    check(passesOnANode(100), "more than a hundred are looked at");
  }

  /** Whether a waiter is granted past this many late waiters and one that is not late. */
  private static boolean passesOnANode(int late) {
    FairStories s = new FairStories();
    s.stand(THEIRS, late, ".5");
    s.scene.server.call("ZADD", LOCK + ":wait", "1000", THEIRS + ":c:2");
    AcquireRequest five = new AcquireRequest(FIVE, LEASE, IfHeld.ENQUEUE).repeated();
    return s.scene.number(s.ours.voteInOrder(five, s.scene.micros, HOW)) > 0;
  }

  static void nextWaiterIsAmongTheFirstHundred() {
    check(isNextTold(99), "the next was not notified");
    check(!isNextTold(100), "more than a hundred are looked at");
  }

  /** Whether a waiter of another store is notified that is behind this many. */
  private static boolean isNextTold(int before) {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.stand(THEIRS, before, "");
    s.scene.server.call("ZADD", LOCK + ":wait", "1000", OURS + ":c:3");
    s.scene.number(s.ours.release(ONE, HOW));
    return s.told.contains(OURS + ": a c:3");
  }

  /** The waiter leaves, but its message is lost. */
  private static void leavesUnheard(FencedScripts store, LeaseKey key) {
    store.leave(key, HOW);
  }

  private Object line() {
    return scene.server.call("ZRANGE", LOCK + ":wait", "0", "-1");
  }

  static void unconfirmedLeaveIsRepeatedWithTheNextRequest() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.ours, TWO);
    s.asks(s.theirs, THREE);
    s.asks(s.ours, FIVE);
    leavesUnheard(s.ours, TWO);
    leavesUnheard(s.ours, FIVE);
    check(s.asks(s.ours, FOUR) < 0, "what is held is taken");
    check(s.line().equals(List.of(THEIRS + ":c:3", OURS + ":c:4")), "in line: " + s.line());
    check(s.scene.get(LOCK).equals("c:1"), "held by " + s.scene.get(LOCK));
  }

  static void reservationForADepartedWaiterIsUsed() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.ours, TWO);
    s.scene.number(s.ours.release(ONE, HOW));
    check(s.scene.get(LOCK).equals("+c:2"), "not kept: it is no test");
    leavesUnheard(s.ours, TWO);
    check(s.asks(s.ours, FIVE) > 0, "kept for one that is gone");
    check(s.scene.get(LOCK).equals("c:5"), "held by " + s.scene.get(LOCK));
  }

  static void reservationForADepartedWaiterPassesOn() {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.asks(s.ours, TWO);
    s.asks(s.theirs, THREE);
    s.scene.number(s.ours.release(ONE, HOW));
    leavesUnheard(s.ours, TWO);
    check(s.asks(s.ours, FIVE) < 0, "it passed the first");
    check(s.scene.get(LOCK).equals("+c:3"), "kept as " + s.scene.get(LOCK));
  }
}
