package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.raise;
import static dev.leasehold.redlock.ScriptScene.refused;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import java.util.List;

/**
 * As {@link ScriptStories}, with exact fences. Static methods without parameters; each throws if
 * the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class FenceStories {
  private static final String FENCE = LOCK + ":fence";
  private static final long DAY_AND_HOUR = 90_000_000;

  private static final long HOUR = 3_600_000_000L;

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  private FenceStories() {}

  private static void set(ScriptScene s, Object fence) {
    s.server.call("SET", FENCE, fence.toString());
  }

  static void firstFenceIsTheTime() {
    ScriptScene s = new ScriptScene();
    is(s.acquire(ONE), s.micros);
    is(s.get(FENCE), Long.toString(s.micros));
    is(s.left(FENCE), DAY_AND_HOUR);
  }

  static void fenceKeepsItsTimeToLiveForAnHour() {
    ScriptScene s = new ScriptScene();
    s.micros = HOUR;
    s.acquire(ONE);
    is(s.release(ONE), 1L);
    s.micros += HOUR - 1;
    is(s.acquire(ONE), s.micros);
    is(s.get(FENCE), Long.toString(s.micros));
    check((Long) s.left(FENCE) < DAY_AND_HOUR, "written with a time to live, though of this hour");
    s.release(ONE);
    s.micros += 1;
    is(s.acquire(ONE), s.micros);
    is(s.left(FENCE), DAY_AND_HOUR);
    s.release(ONE);
    s.micros += 3 * HOUR + 5;
    is(s.acquire(ONE), s.micros);
    is(s.left(FENCE), DAY_AND_HOUR);
  }

  static void fenceAheadOfTheClockIncreasesByOne() {
    for (long ahead : new long[] {0, 1, SECOND}) {
      ScriptScene s = new ScriptScene();
      set(s, s.micros + ahead);
      is(s.acquire(ONE), s.micros + ahead + 1);
      is(s.left(FENCE), DAY_AND_HOUR);
    }
  }

  static void textThatOnlyLuaParsesIsRefused() {
    for (String form : List.of(" %d", "%d.0", "0x%x")) {
      ScriptScene s = new ScriptScene();
      set(s, form.formatted(s.micros - 5));
      String words = refused(() -> s.acquire(ONE));
      check(words.contains(FENCE + " is no fence"), words);
      check(!s.isThere(LOCK), "refused, and held");
    }
  }

  static void invalidFenceIsRefusedAndAcquiresNothing() {
    for (Object strange : List.of("x", "1e9", MOST)) {
      ScriptScene s = new ScriptScene();
      set(s, strange);
      String words = refused(() -> s.acquire(ONE));
      check(words.contains(FENCE + " is no fence"), words);
      check(!s.isThere(LOCK), "refused, and held");
    }
    ScriptScene s = new ScriptScene();
    s.server.call("RPUSH", FENCE, "no text");
    String words = refused(() -> s.acquire(ONE));
    check(words.startsWith("WRONGTYPE"), words);
    check(!s.isThere(LOCK), "refused, and held");
  }

  static void fenceStaysBelowTheMaximum() {
    ScriptScene s = new ScriptScene();
    set(s, MOST - 1);
    String words = refused(() -> s.acquire(ONE));
    check(words.contains(FENCE + ", is beyond 2255"), words);
    check(!s.isThere(LOCK), "refused, and held");
    set(s, MOST - 2);
    is(s.acquire(ONE), MOST - 1);
  }

  static void reservedNumbersStayBelowTheMaximum() {
    ScriptScene s = new ScriptScene();
    s.micros = MOST - 3;
    is(s.acquire(ONE, 5, 0), List.of(MOST - 3, 2L));
  }

  static void missingFenceIsDrawnAgain() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.server.call("DEL", FENCE);
    s.micros += SECOND;
    is(s.acquire(ONE, 5, 0), List.of(s.micros, 0L));
    is(s.get(FENCE), Long.toString(s.micros));
  }

  static void repeatedAcquisitionRaisesTheFenceToTheProposal() {
    ScriptScene s = new ScriptScene();
    long first = s.acquire(ONE);
    s.micros += SECOND;
    is(s.vote(ONE, first + 1), first + 1);
  }

  static void singleReservedNumberIsReported() {
    ScriptScene s = new ScriptScene();
    is(s.acquire(ONE, 1, 0), List.of(s.micros, 1L));
    is(s.get(FENCE), s.micros + "+1");
  }

  static void returnedNumbersAreStoredForADay() {
    ScriptScene s = new ScriptScene();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.micros += SECOND;
    s.release(ONE, first + 2, first + 5);
    is(s.get(FENCE), Long.toString(first + 2));
    is(s.left(FENCE), DAY_AND_HOUR);
  }

  static void raiseKeepsReservedNumbers() {
    ScriptScene s = new ScriptScene();
    long first = s.acquire(ONE);
    s.micros += SECOND;
    is(s.send(FencedScripts.raise(ONE, first, 1, KeySpace.WHOLE)), 1L);
    is(s.get(FENCE), first + "+1");
    is(s.left(FENCE), DAY_AND_HOUR);
  }

  static void fenceIsNotRaisedToTheMaximum() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    String words = refused(() -> s.send(FencedScripts.raise(ONE, MOST - 1, 1, KeySpace.WHOLE)));
    check(words.contains(FENCE + " is no fence"), words);
    is(s.send(FencedScripts.raise(ONE, MOST - 2, 1, KeySpace.WHOLE)), 1L);
    set(s, "x");
    words = refused(() -> s.send(raise(ONE, 5)));
    check(words.contains(FENCE + " is no fence: x"), words);
  }

  static void wokenWaiterGetsANewFence() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    long first = s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.release(ONE);
    check(s.acquire(TWO) > first, "the one's before");
  }

  static void majorityHolderGetsANewFence() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    long first = s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.release(ONE);
    AcquireRequest most =
        new AcquireRequest(ONE, LEASE, IfHeld.REFUSE).repeated().withWaited(KindScene.FOR_MOST);
    check(s.number(s.store.vote(most, 0)) > first, "the one's before, or refused");
  }
}
