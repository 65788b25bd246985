package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * As {@link KindStories}, for the slots of semaphores on the nodes of quorums. Each method throws
 * if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SlotStories extends KindScene {
  private static final String SLOTS = LOCK + ":slots:of";
  private static final long DAY = 86_400_000;

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  SlotStories() {
    votes();
  }

  private static AcquireRequest of(LeaseKey key, Duration lease, int numbers) {
    return new AcquireRequest(key, lease, IfHeld.REFUSE).withHandOvers(numbers);
  }

  private Object slot(String field) {
    return server.call("HGET", SLOTS, field);
  }

  void refusedRequestRecordsNoVote() {
    votes(ONE, 2, 0);
    seconds(5);
    Object before = server.call("HGETALL", "lh:node");
    check(votes(TWO, 2, 0) instanceof List<?>, "granted to two");
    check(votes(TWO, 3, 1) instanceof List<?>, "granted of another number");
    is(server.call("HGETALL", "lh:node"), before);
    votes(TWO, 2, 1);
    check(!server.call("HGETALL", "lh:node").equals(before), "a vote is not noted");
  }

  void acquisitionStoresTheSlots() {
    long fence = (Long) votes(ONE, 4, 1, 3);
    is(fence, micros);
    is(slot("number"), "4");
    is(slot("1"), "c:1");
    is(slot("3"), "c:1");
    is(slot("c:1"), "1,3");
    is(slot("f1"), Long.toString(fence));
    is(left(SLOTS), 10_000 + DAY);
    is(leftOf(":slots"), 10_000L);
  }

  void slotTableOutlivesTheLongestLease() {
    votes(of(ONE, Duration.ofDays(3), 0), 4, 0, 1);
    votes(TWO, 4, 2);
    is(left(SLOTS), 4 * DAY);
  }

  void grantReportsTheNumbers() {
    is(votes(of(ONE, LEASE, 1), 4, 0, 1), List.of(micros, 1L));
    is(slot("f1"), Long.toString(micros + 1));
    micros += 5;
    is(votes(of(ONE, LEASE, 3), 4, 0, 1), List.of(micros - 4, 0L));
  }

  void repeatedAcquisitionRaisesTheNumberToTheProposal() {
    long fence = (Long) votes(ONE, 4, 1);
    is(votes(of(ONE, LEASE, 0), 4, fence + 7, 1), fence + 7);
    is(votes(of(ONE, LEASE, 0), 4, fence + 3, 1), fence + 7);
    server.call("HDEL", SLOTS, "f1");
    is(votes(of(ONE, LEASE, 0), 4, 0, 1), micros);
  }

  void releasedSlotsAreForgotten() {
    long fence = (Long) votes(ONE, 4, 1, 3);
    is(givesSlots(ONE), 1L);
    is(slot("1"), null);
    is(slot("3"), null);
    is(slot("c:1"), null);
    is(slot("f3"), Long.toString(fence));
    is(givesSlots(ONE), 0L);
  }

  void slotOfAnotherTokenIsNotForgotten() {
    votes(ONE, 4, 1, 3);
    server.call("HSET", SLOTS, "3", "c:2"); // granted to another holder
    givesSlots(ONE);
    is(slot("1"), null);
    is(slot("3"), "c:2");
  }

  void expiredSlotsAreForgotten() {
    votes(ONE, 4, 1);
    seconds(11);
    check(votes(TWO, 4, 1) instanceof Long, "a dead one's slot is held");
    is(slot("c:1"), null);
    is(slot("1"), "c:2");
  }

  void numbersOfAllSlotsAreReturned() {
    long fence = (Long) ((List<?>) votes(of(ONE, LEASE, 5), 4, 0, 1, 3)).get(0);
    givesSlots(ONE, fence + 2, fence + 5);
    is(slot("f1"), Long.toString(fence + 2));
    is(slot("f3"), Long.toString(fence + 2));
  }

  void numbersBelowALaterGrantAreNotReturned() {
    long fence = (Long) ((List<?>) votes(of(ONE, LEASE, 5), 4, 0, 1)).get(0);
    send(slots(1).raise(ONE, fence + 9, 0));
    givesSlots(ONE, fence + 2, fence + 5);
    is(slot("f1"), Long.toString(fence + 9));
  }

  void refusalNamesFreeSlots() {
    votes(ONE, 4, 1);
    is(votes(TWO, 4, 1), List.of(-10_001L, 2L, 3L, 0L));
    is(votes(TWO, 4, 0, 1), List.of(-10_001L, 0L, 2L, 3L));
    votes(THREE, 4, 2, 3);
    is(votes(TWO, 4, 2), List.of(-10_001L, 0L));
    votes(TWO, 4, 0);
    is(votes(new LeaseKey("a", "c:4"), 4, 2), List.of(-10_001L));
  }

  void refusalNamesSomeOfManyFreeSlots() {
    votes(ONE, 200, 0);
    List<Object> most =
        Stream.concat(Stream.<Object>of(-10_001L), LongStream.rangeClosed(1, 65).boxed())
            .map(Object.class::cast)
            .toList();
    is(votes(TWO, 200, 0), most);
  }

  void refusalNamesNoSlotsWhileTheDoorIsHeld() {
    votes(ONE, 4, 0, 1, 2);
    waitsFor(TWO, 2, 3);
    is(votes(THREE, 4, 0), List.of(-10_001L));
  }

  void refusalNamesSlotsToTheWaiterWhoseTurnItIs() {
    listen("s0");
    votes(ONE, 2, 0);
    votes(THREE, 2, 1);
    waitsFor(TWO, 0);
    givesSlots(THREE);
    is(votes(TWO, 2, 0), List.of(-501L, 1L));
    check(votes(TWO, 2, 1) instanceof Long, "what is kept is not its own");
  }

  private void waitsFor(LeaseKey key, Integer... wanted) {
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated();
    int of = wanted.length == 1 ? 2 : 4;
    check(votes(request, of, 0, wanted) instanceof List<?>, key + " need not wait");
  }

  void invalidFencesAreRefusedAndAcquireNothing() {
    for (Object strange : List.of("x", MOST)) {
      SlotStories k = new SlotStories();
      k.server.call("HSET", SLOTS, "f1", strange.toString());
      String words = refused(() -> k.votes(ONE, 4, 1));
      check(words.contains("has no fences"), words);
      is(k.slot("1"), null);
      is(k.leftOf(":slots"), -2L);
    }
  }

  void onlyTheHolderRaisesTheNumbers() {
    long fence = (Long) votes(ONE, 4, 1, 3);
    is(send(slots(1).raise(TWO, fence + 5, 0)), 0L);
    is(send(slots(1).raise(ONE, fence + 5, 2)), 1L);
    is(slot("f1"), Long.toString(fence + 7));
    is(slot("f3"), Long.toString(fence + 7));
    is(send(slots(1).raise(ONE, fence + 5, 0)), 1L);
    is(slot("f1"), Long.toString(fence + 7));
    server.call("HDEL", SLOTS, "f1");
    is(send(slots(1).raise(ONE, 1, 0)), 1L);
    is(slot("f1"), "1");
  }

  void invalidNumberIsNotRaised() {
    votes(ONE, 4, 1);
    String words = refused(() -> send(slots(1).raise(ONE, MOST, 0)));
    check(words.contains("is no fence"), words);
    is(send(slots(1).raise(ONE, MOST - 1, 0)), 1L);
    server.call("HSET", SLOTS, "f1", "x");
    words = refused(() -> send(slots(1).raise(ONE, 5, 0)));
    check(words.contains("has no fences"), words);
  }

  void tokenWithoutSlotsRaisesNothing() {
    votes(ONE, 4, 1);
    server.call("HDEL", SLOTS, "c:1");
    is(send(slots(1).raise(ONE, 5, 0)), 1L);
    is(givesSlots(ONE), 1L);
  }

  void countReturnsFreeSlots() {
    is(send(slots(1).count("a")), List.of(0L, 0L));
    votes(ONE, 4, 1, 3);
    is(send(slots(1).count("a")), List.of(4L, 2L));
    micros += 9_999_000;
    is(send(slots(1).count("a")), List.of(4L, 2L));
    micros += 1_000;
    is(send(slots(1).count("a")), List.of(4L, 0L));
    server.call("HSET", SLOTS, "number", "x");
    String words = refused(() -> send(slots(1).count("a")));
    check(words.startsWith("WRONGTYPE no number of permits"), words);
  }
}
