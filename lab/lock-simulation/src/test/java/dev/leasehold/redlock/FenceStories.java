package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import java.util.List;

/** As {@link ScriptStories}, with exact fences. Each method throws if the behaviour differs. */
@SuppressWarnings("unused") // called by reflection
final class FenceStories extends ScriptScene {
  private static final String FENCE = LOCK + ":fence";
  private static final long DAY_AND_HOUR = 90_000_000;

  private static final long HOUR = 3_600_000_000L;

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  private void set(Object fence) {
    server.call("SET", FENCE, fence.toString());
  }

  void firstFenceIsTheTime() {
    is(acquire(ONE), micros);
    is(get(FENCE), Long.toString(micros));
    is(left(FENCE), DAY_AND_HOUR);
  }

  void fenceKeepsItsTimeToLiveForAnHour() {
    micros = HOUR;
    acquire(ONE);
    is(release(ONE), 1L);
    micros += HOUR - 1;
    is(acquire(ONE), micros);
    is(get(FENCE), Long.toString(micros));
    check((Long) left(FENCE) < DAY_AND_HOUR, "written with a time to live, though of this hour");
    release(ONE);
    micros += 1;
    is(acquire(ONE), micros);
    is(left(FENCE), DAY_AND_HOUR);
    release(ONE);
    micros += 3 * HOUR + 5;
    is(acquire(ONE), micros);
    is(left(FENCE), DAY_AND_HOUR);
  }

  void fenceAheadOfTheClockIncreasesByOne() {
    for (long ahead : new long[] {0, 1, SECOND}) {
      FenceStories s = new FenceStories();
      s.set(s.micros + ahead);
      is(s.acquire(ONE), s.micros + ahead + 1);
      is(s.left(FENCE), DAY_AND_HOUR);
    }
  }

  void textThatOnlyLuaParsesIsRefused() {
    for (String form : List.of(" %d", "%d.0", "0x%x")) {
      FenceStories s = new FenceStories();
      s.set(form.formatted(s.micros - 5));
      String words = refused(() -> s.acquire(ONE));
      check(words.contains(FENCE + " is no fence"), words);
      check(!s.isThere(LOCK), "refused, and held");
    }
  }

  void invalidFenceIsRefusedAndAcquiresNothing() {
    for (Object strange : List.of("x", "1e9", MOST)) {
      FenceStories s = new FenceStories();
      s.set(strange);
      String words = refused(() -> s.acquire(ONE));
      check(words.contains(FENCE + " is no fence"), words);
      check(!s.isThere(LOCK), "refused, and held");
    }
    server.call("RPUSH", FENCE, "no text");
    String words = refused(() -> acquire(ONE));
    check(words.startsWith("WRONGTYPE"), words);
    check(!isThere(LOCK), "refused, and held");
  }

  void fenceStaysBelowTheMaximum() {
    set(MOST - 1);
    String words = refused(() -> acquire(ONE));
    check(words.contains(FENCE + ", is beyond 2255"), words);
    check(!isThere(LOCK), "refused, and held");
    set(MOST - 2);
    is(acquire(ONE), MOST - 1);
  }

  void reservedNumbersStayBelowTheMaximum() {
    micros = MOST - 3;
    is(acquire(ONE, 5, 0), List.of(MOST - 3, 2L));
  }

  void missingFenceIsDrawnAgain() {
    acquire(ONE);
    server.call("DEL", FENCE);
    micros += SECOND;
    is(acquire(ONE, 5, 0), List.of(micros, 0L));
    is(get(FENCE), Long.toString(micros));
  }

  void repeatedAcquisitionRaisesTheFenceToTheProposal() {
    long first = acquire(ONE);
    micros += SECOND;
    is(vote(ONE, first + 1), first + 1);
  }

  void singleReservedNumberIsReported() {
    is(acquire(ONE, 1, 0), List.of(micros, 1L));
    is(get(FENCE), micros + "+1");
  }

  void returnedNumbersAreStoredForADay() {
    long first = (Long) acquire(ONE, 5, 0).get(0);
    micros += SECOND;
    release(ONE, first + 2, first + 5);
    is(get(FENCE), Long.toString(first + 2));
    is(left(FENCE), DAY_AND_HOUR);
  }

  void raiseKeepsReservedNumbers() {
    long first = acquire(ONE);
    micros += SECOND;
    is(send(FencedScripts.raise(ONE, first, 1, KeySpace.WHOLE)), 1L);
    is(get(FENCE), first + "+1");
    is(left(FENCE), DAY_AND_HOUR);
  }

  void fenceIsNotRaisedToTheMaximum() {
    acquire(ONE);
    String words = refused(() -> send(FencedScripts.raise(ONE, MOST - 1, 1, KeySpace.WHOLE)));
    check(words.contains(FENCE + " is no fence"), words);
    is(send(FencedScripts.raise(ONE, MOST - 2, 1, KeySpace.WHOLE)), 1L);
    set("x");
    words = refused(() -> send(raise(ONE, 5)));
    check(words.contains(FENCE + " is no fence: x"), words);
  }

  void wokenWaiterGetsANewFence() {
    listen("s0");
    long first = acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    release(ONE);
    check(acquire(TWO) > first, "the one's before");
  }

  void majorityHolderGetsANewFence() {
    listen("s0");
    long first = acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    release(ONE);
    AcquireRequest most =
        new AcquireRequest(ONE, LEASE, IfHeld.REFUSE).repeated().withWaited(KindScene.FOR_MOST);
    check(number(store.vote(most, 0)) > first, "the one's before, or refused");
  }
}
