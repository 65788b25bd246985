package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
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
 * The required behaviour of the scripts in fair mode. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class FairStories extends ScriptScene {
  private static final String OURS = FencedScripts.inOrder("s0");
  private static final String THEIRS = FencedScripts.inOrder("s1");
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);

  private final FencedScripts ours = new FencedScripts(Script.ACQUIRE, OURS);
  private final FencedScripts theirs = new FencedScripts(Script.SETNX_ACQUIRE, THEIRS);

  /** Requests as to a node of a quorum, but without the guard. */
  private final FencedScripts node = new FencedScripts(Script.ACQUIRE, THEIRS);

  private final List<String> told = new ArrayList<>();

  FairStories() {
    for (String store : List.of(OURS, THEIRS)) {
      String channel = new String(Publishing.channelOf(store), US_ASCII);
      server.subscribe(channel, (from, message) -> told.add(store + ": " + message));
    }
  }

  private long asks(FencedScripts store, LeaseKey key, IfHeld ifHeld, Duration waited) {
    micros += 1000;
    return number(
        store.voteInOrder(
            new AcquireRequest(key, LEASE, ifHeld).repeated().withWaited(waited), 0, HOW));
  }

  private long asks(FencedScripts store, LeaseKey key) {
    return asks(store, key, IfHeld.ENQUEUE, Duration.ZERO);
  }

  private void ends() {
    server.call("DEL", LOCK); // like an expiry: sends no message
  }

  void laterArrivalDoesNotOvertake() {
    asks(ours, ONE);
    asks(theirs, TWO);
    ends();
    check(asks(ours, THREE, IfHeld.REFUSE, Duration.ZERO) < 0, "it passed the first");
    check(told.equals(List.of(THEIRS + ": a c:2")), "told: " + told);
    check(asks(theirs, TWO) > 0, "it is not kept for the first");
  }

  void fencesIncreaseInFairMode() {
    long first = asks(ours, ONE);
    micros -= 1000;
    number(ours.release(ONE, HOW));
    check(asks(ours, TWO) > first, "the same fence twice");
  }

  void shorterWaitDoesNotOvertake() {
    asks(ours, ONE);
    asks(theirs, TWO);
    ends();
    micros += 1_000_000;
    check(asks(ours, THREE, IfHeld.ENQUEUE, Duration.ofMillis(500)) < 0, "it passed the first");
  }

  void firstInLineAcquires() {
    asks(ours, ONE);
    asks(theirs, TWO);
    ends();
    check(asks(theirs, TWO) > 0, "the first is refused");
    check(told.isEmpty(), "told: " + told);
  }

  void missedTurnRemainsAheadOfLaterArrivals() {
    asks(ours, ONE);
    asks(theirs, TWO);
    ends();
    check(asks(ours, THREE, IfHeld.ENQUEUE, Duration.ofSeconds(5)) > 0, "it came first");
  }

  void newcomerIsLastAfterAClockStepBack() {
    asks(ours, ONE);
    asks(theirs, TWO);
    ends();
    micros -= 5_000_000;
    check(asks(ours, THREE) < 0, "it passed the first");
  }

  void nodeUsesProposedPlaces() {
    asks(ours, ONE);
    long ahead = micros + 100_000;
    number(node.voteInOrder(waiting(TWO, Duration.ZERO), ahead, HOW));
    ends();
    AcquireRequest later = waiting(THREE, Duration.ofMillis(50));
    long reply = number(node.voteInOrder(later, ahead + 100_000, HOW));
    check(reply < 0, "it passed the first, whose place is before its own on all nodes");
  }

  private static AcquireRequest waiting(LeaseKey key, Duration waited) {
    return new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated().withWaited(waited);
  }

  void nextListeningWaiterIsNotified() {
    FencedScripts gone = new FencedScripts(Script.ACQUIRE, FencedScripts.inOrder("s2"));
    asks(ours, ONE);
    asks(theirs, TWO);
    asks(gone, new LeaseKey("a", "c:4"));
    asks(ours, THREE);
    number(ours.release(ONE, HOW));
    check(told.equals(List.of(THEIRS + ": a c:2", OURS + ": a c:3")), "told: " + told);
  }

  private static final LeaseKey FOUR = new LeaseKey("a", "c:4");
  private static final LeaseKey FIVE = new LeaseKey("a", "c:5");

  /**
   * A store has missed one turn, and has two more waiters, the second of them behind another
   * store's.
   */
  private void late() {
    asks(ours, ONE);
    asks(theirs, TWO);
    asks(theirs, THREE);
    asks(ours, FIVE);
    asks(theirs, FOUR);
    number(ours.release(ONE, HOW));
    told.clear();
    ends();
  }

  void unresponsiveStoreIsPassedOver() {
    late();
    check(asks(ours, FIVE) > 0, "a store that does not come is waited for again");
    check(
        told.equals(List.of(THEIRS + ": a c:2", THEIRS + ": a c:3", THEIRS + ": a c:4")),
        "those that are passed come back to their places: told " + told);
    asks(theirs, FOUR, IfHeld.ENQUEUE, Duration.ofSeconds(5));
    asks(ours, ONE);
    number(ours.release(FIVE, HOW));
    check(asks(theirs, FOUR) > 0, "its place is lost");
  }

  void firstInLineAcquiresAfterItsTurn() {
    late();
    check(asks(theirs, TWO) > 0, "the first is refused");
    told.clear();
    number(theirs.release(TWO, HOW));
    check(told.equals(List.of(THEIRS + ": a c:3", OURS + ": a c:5")), "told: " + told);
  }

  void askingStoreLosesOneMissedTurn() {
    late();
    check(asks(theirs, FOUR) < 0, "it passed one of its own store that came before");
    check(asks(theirs, THREE) > 0, "it is not kept for the first");
  }

  void waiterThatMissedItsTurnLosesItsPlaceOnANode() {
    late();
    AcquireRequest five = new AcquireRequest(FIVE, LEASE, IfHeld.ENQUEUE).repeated();
    send(ours.voteInOrder(five, micros, HOW));
    check(asks(theirs, THREE) > 0, "it is not kept for the first");
  }

  void onlyWaitersWhoseTurnItIsAreNotified() {
    asks(ours, ONE);
    asks(theirs, TWO);
    asks(theirs, new LeaseKey("a", "c:4"));
    asks(ours, THREE);
    number(ours.release(ONE, HOW));
    // The first waiter of the next store is notified, too, and asks when the turn is over.
    check(told.equals(List.of(THEIRS + ": a c:2", OURS + ": a c:3")), "told: " + told);
  }

  void otherStoresReceiveOnlyTheName() {
    listen("s0");
    String channel = new String(Publishing.channelOf("s0"), US_ASCII);
    server.subscribe(channel, (from, message) -> told.add("s0: " + message));
    asks(ours, ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    number(ours.release(ONE, HOW));
    check(told.equals(List.of("s0: a")), "told: " + told);
  }

  /** Adds waiters of a store at places from 0; a fraction marks those that missed a turn. */
  private void stand(String store, int count, String fraction) {
    for (int i = 0; i < count; i++) {
      server.call("ZADD", LOCK + ":wait", i + fraction, store + ":t" + i);
    }
  }

  void aHundredWaitersOfALateStoreArePassedOver() {
    stand(THEIRS, 101, "");
    server.call("ZADD", LOCK + ":wait", "0.5", THEIRS + ":t0");
    check(asks(ours, FIVE) < 0, "more than a hundred are passed");
    check(told.size() == 101, "told: " + told.size());
    check(told.get(100).equals(THEIRS + ": a t100"), "told: " + told);
  }

  void aHundredWaitersArePassedOverOnANode() {
    check(!passesOnANode(99), "it passed one that did not miss its turn");
    check(passesOnANode(100), "more than a hundred are looked at");
  }

  /** Whether a waiter is granted past this many late waiters and one that is not late. */
  private static boolean passesOnANode(int late) {
    FairStories s = new FairStories();
    s.stand(THEIRS, late, ".5");
    s.server.call("ZADD", LOCK + ":wait", "1000", THEIRS + ":c:2");
    AcquireRequest five = new AcquireRequest(FIVE, LEASE, IfHeld.ENQUEUE).repeated();
    return s.number(s.ours.voteInOrder(five, s.micros, HOW)) > 0;
  }

  void nextWaiterIsAmongTheFirstHundred() {
    check(isNextTold(99), "the next was not notified");
    check(!isNextTold(100), "more than a hundred are looked at");
  }

  /** Whether a waiter of another store is notified that is behind this many. */
  private static boolean isNextTold(int before) {
    FairStories s = new FairStories();
    s.asks(s.ours, ONE);
    s.stand(THEIRS, before, "");
    s.server.call("ZADD", LOCK + ":wait", "1000", OURS + ":c:3");
    s.number(s.ours.release(ONE, HOW));
    return s.told.contains(OURS + ": a c:3");
  }

  /** The waiter leaves, but its message is lost. */
  private static void leavesUnheard(FencedScripts store, LeaseKey key) {
    store.leave(key, HOW);
  }

  private Object line() {
    return server.call("ZRANGE", LOCK + ":wait", "0", "-1");
  }

  void unconfirmedLeaveIsRepeatedWithTheNextRequest() {
    asks(ours, ONE);
    asks(ours, TWO);
    asks(theirs, THREE);
    asks(ours, FIVE);
    leavesUnheard(ours, TWO);
    leavesUnheard(ours, FIVE);
    check(asks(ours, FOUR) < 0, "what is held is taken");
    check(line().equals(List.of(THEIRS + ":c:3", OURS + ":c:4")), "in line: " + line());
    check(get(LOCK).equals("c:1"), "held by " + get(LOCK));
  }

  void reservationForADepartedWaiterIsUsed() {
    asks(ours, ONE);
    asks(ours, TWO);
    number(ours.release(ONE, HOW));
    check(get(LOCK).equals("+c:2"), "not kept: it is no test");
    leavesUnheard(ours, TWO);
    check(asks(ours, FIVE) > 0, "kept for one that is gone");
    check(get(LOCK).equals("c:5"), "held by " + get(LOCK));
  }

  void reservationForADepartedWaiterPassesOn() {
    asks(ours, ONE);
    asks(ours, TWO);
    asks(theirs, THREE);
    number(ours.release(ONE, HOW));
    leavesUnheard(ours, TWO);
    check(asks(ours, FIVE) < 0, "it passed the first");
    check(get(LOCK).equals("+c:3"), "kept as " + get(LOCK));
  }
}
