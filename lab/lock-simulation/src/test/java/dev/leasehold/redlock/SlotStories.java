package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.refused;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * As {@link KindStories}, for the slots of semaphores on the nodes of quorums. Static methods
 * without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SlotStories {
  private static final String SLOTS = LOCK + ":slots:of";
  private static final long DAY = 86_400_000;

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  private SlotStories() {}

  private static KindScene scene() {
    KindScene k = new KindScene();
    k.votes();
    return k;
  }

  private static AcquireRequest of(LeaseKey key, Duration lease, int numbers) {
    return new AcquireRequest(key, lease, IfHeld.REFUSE).withHandOvers(numbers);
  }

  private static Object get(KindScene k, String field) {
    return k.s.server.call("HGET", SLOTS, field);
  }

  static void refusedRequestRecordsNoVote() {
    KindScene k = scene();
    k.votes(ONE, 2, 0);
    k.seconds(5);
    Object before = k.s.server.call("HGETALL", "lh:node");
    check(k.votes(TWO, 2, 0) instanceof List<?>, "granted to two");
    check(k.votes(TWO, 3, 1) instanceof List<?>, "granted of another number");
    is(k.s.server.call("HGETALL", "lh:node"), before);
    k.votes(TWO, 2, 1);
    check(!k.s.server.call("HGETALL", "lh:node").equals(before), "a vote is not noted");
  }

  static void acquisitionStoresTheSlots() {
    KindScene k = scene();
    long fence = (Long) k.votes(ONE, 4, 1, 3);
    is(fence, k.s.micros);
    is(get(k, "number"), "4");
    is(get(k, "1"), "c:1");
    is(get(k, "3"), "c:1");
    is(get(k, "c:1"), "1,3");
    is(get(k, "f1"), Long.toString(fence));
    is(k.s.left(SLOTS), 10_000 + DAY);
    is(k.left(":slots"), 10_000L);
  }

  static void slotTableOutlivesTheLongestLease() {
    KindScene k = scene();
    k.votes(of(ONE, Duration.ofDays(3), 0), 4, 0, 1);
    k.votes(TWO, 4, 2);
    is(k.s.left(SLOTS), 4 * DAY);
  }

  static void grantReportsTheNumbers() {
    KindScene k = scene();
    is(k.votes(of(ONE, LEASE, 1), 4, 0, 1), List.of(k.s.micros, 1L));
    is(get(k, "f1"), Long.toString(k.s.micros + 1));
    k.s.micros += 5;
    is(k.votes(of(ONE, LEASE, 3), 4, 0, 1), List.of(k.s.micros - 4, 0L));
  }

  static void repeatedAcquisitionRaisesTheNumberToTheProposal() {
    KindScene k = scene();
    long fence = (Long) k.votes(ONE, 4, 1);
    is(k.votes(of(ONE, LEASE, 0), 4, fence + 7, 1), fence + 7);
    is(k.votes(of(ONE, LEASE, 0), 4, fence + 3, 1), fence + 7);
    k.s.server.call("HDEL", SLOTS, "f1");
    is(k.votes(of(ONE, LEASE, 0), 4, 0, 1), k.s.micros);
  }

  static void releasedSlotsAreForgotten() {
    KindScene k = scene();
    long fence = (Long) k.votes(ONE, 4, 1, 3);
    is(k.givesSlots(ONE), 1L);
    is(get(k, "1"), null);
    is(get(k, "3"), null);
    is(get(k, "c:1"), null);
    is(get(k, "f3"), Long.toString(fence));
    is(k.givesSlots(ONE), 0L);
  }

  static void slotOfAnotherTokenIsNotForgotten() {
    KindScene k = scene();
    k.votes(ONE, 4, 1, 3);
    k.s.server.call("HSET", SLOTS, "3", "c:2"); // granted to another holder
    k.givesSlots(ONE);
    is(get(k, "1"), null);
    is(get(k, "3"), "c:2");
  }

  static void expiredSlotsAreForgotten() {
    KindScene k = scene();
    k.votes(ONE, 4, 1);
    k.seconds(11);
    check(k.votes(TWO, 4, 1) instanceof Long, "a dead one's slot is held");
    is(get(k, "c:1"), null);
    is(get(k, "1"), "c:2");
  }

  static void numbersOfAllSlotsAreReturned() {
    KindScene k = scene();
    long fence = (Long) ((List<?>) k.votes(of(ONE, LEASE, 5), 4, 0, 1, 3)).get(0);
    k.givesSlots(ONE, fence + 2, fence + 5);
    is(get(k, "f1"), Long.toString(fence + 2));
    is(get(k, "f3"), Long.toString(fence + 2));
  }

  static void numbersBelowALaterGrantAreNotReturned() {
    KindScene k = scene();
    long fence = (Long) ((List<?>) k.votes(of(ONE, LEASE, 5), 4, 0, 1)).get(0);
    k.s.send(k.slots(1).raise(ONE, fence + 9, 0));
    k.givesSlots(ONE, fence + 2, fence + 5);
    is(get(k, "f1"), Long.toString(fence + 9));
  }

  static void refusalNamesFreeSlots() {
    KindScene k = scene();
    k.votes(ONE, 4, 1);
    is(k.votes(TWO, 4, 1), List.of(-10_001L, 2L, 3L, 0L));
    is(k.votes(TWO, 4, 0, 1), List.of(-10_001L, 0L, 2L, 3L));
    k.votes(THREE, 4, 2, 3);
    is(k.votes(TWO, 4, 2), List.of(-10_001L, 0L));
    k.votes(TWO, 4, 0);
    is(k.votes(new LeaseKey("a", "c:4"), 4, 2), List.of(-10_001L));
  }

  static void refusalNamesSomeOfManyFreeSlots() {
    KindScene k = scene();
    k.votes(ONE, 200, 0);
    List<Object> most =
        Stream.concat(Stream.<Object>of(-10_001L), LongStream.rangeClosed(1, 65).boxed())
            .map(Object.class::cast)
            .toList();
    is(k.votes(TWO, 200, 0), most);
  }

  static void refusalNamesNoSlotsWhileTheDoorIsHeld() {
    KindScene k = scene();
    k.votes(ONE, 4, 0, 1, 2);
    waits(k, TWO, 2, 3);
    is(k.votes(THREE, 4, 0), List.of(-10_001L));
  }

  static void refusalNamesSlotsToTheWaiterWhoseTurnItIs() {
    KindScene k = scene();
    k.s.listen("s0");
    k.votes(ONE, 2, 0);
    k.votes(THREE, 2, 1);
    waits(k, TWO, 0);
    k.givesSlots(THREE);
    is(k.votes(TWO, 2, 0), List.of(-501L, 1L));
    check(k.votes(TWO, 2, 1) instanceof Long, "what is kept is not its own");
  }

  private static void waits(KindScene k, LeaseKey key, Integer... wanted) {
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated();
    int of = wanted.length == 1 ? 2 : 4;
    check(k.votes(request, of, 0, wanted) instanceof List<?>, key + " need not wait");
  }

  static void invalidFencesAreRefusedAndAcquireNothing() {
    for (Object strange : List.of("x", MOST)) {
      KindScene k = scene();
      k.s.server.call("HSET", SLOTS, "f1", strange.toString());
      String words = refused(() -> k.votes(ONE, 4, 1));
      check(words.contains("has no fences"), words);
      is(get(k, "1"), null);
      is(k.left(":slots"), -2L);
    }
  }

  static void onlyTheHolderRaisesTheNumbers() {
    KindScene k = scene();
    long fence = (Long) k.votes(ONE, 4, 1, 3);
    is(k.s.send(k.slots(1).raise(TWO, fence + 5, 0)), 0L);
    is(k.s.send(k.slots(1).raise(ONE, fence + 5, 2)), 1L);
    is(get(k, "f1"), Long.toString(fence + 7));
    is(get(k, "f3"), Long.toString(fence + 7));
    is(k.s.send(k.slots(1).raise(ONE, fence + 5, 0)), 1L);
    is(get(k, "f1"), Long.toString(fence + 7));
    k.s.server.call("HDEL", SLOTS, "f1");
    is(k.s.send(k.slots(1).raise(ONE, 1, 0)), 1L);
    is(get(k, "f1"), "1");
  }

  static void invalidNumberIsNotRaised() {
    KindScene k = scene();
    k.votes(ONE, 4, 1);
    String words = refused(() -> k.s.send(k.slots(1).raise(ONE, MOST, 0)));
    check(words.contains("is no fence"), words);
    is(k.s.send(k.slots(1).raise(ONE, MOST - 1, 0)), 1L);
    k.s.server.call("HSET", SLOTS, "f1", "x");
    words = refused(() -> k.s.send(k.slots(1).raise(ONE, 5, 0)));
    check(words.contains("has no fences"), words);
  }

  static void tokenWithoutSlotsRaisesNothing() {
    KindScene k = scene();
    k.votes(ONE, 4, 1);
    k.s.server.call("HDEL", SLOTS, "c:1");
    is(k.s.send(k.slots(1).raise(ONE, 5, 0)), 1L);
    is(k.givesSlots(ONE), 1L);
  }

  static void countReturnsFreeSlots() {
    KindScene k = scene();
    is(k.s.send(k.slots(1).count("a")), List.of(0L, 0L));
    k.votes(ONE, 4, 1, 3);
    is(k.s.send(k.slots(1).count("a")), List.of(4L, 2L));
    k.s.micros += 9_999_000;
    is(k.s.send(k.slots(1).count("a")), List.of(4L, 2L));
    k.s.micros += 1_000;
    is(k.s.send(k.slots(1).count("a")), List.of(4L, 0L));
    k.s.server.call("HSET", SLOTS, "number", "x");
    String words = refused(() -> k.s.send(k.slots(1).count("a")));
    check(words.startsWith("WRONGTYPE no number of permits"), words);
  }
}
