package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.redisson.AdapterScene;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How scripts must handle an acquisition that arrives after the release of its token, on a server
 * with a manual clock. Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class GoneStories extends KindScene {
  private static final String FENCE = LOCK + ":fence";
  private static final String GONE = LOCK + ":gone";
  private static final LeaseKey B = new LeaseKey("b", "c:1");
  private static final LeaseKey ANOTHERS_B = new LeaseKey("b", "c:2");
  private static final long HOUR = 3_600_000;
  private static final long DAY_AND_HOUR = 90_000_000;

  private void isGone(LeaseKey key) {
    is(send(FencedScripts.gone(key, KeySpace.WHOLE)), 1L);
  }

  private static void takesNothing(Runnable late) {
    String words = refused(late);
    check(words.contains("released before"), words);
  }

  /** Leaves the fence of an earlier holder, and returns it. */
  private long usedBefore() {
    long fence = acquire(THREE);
    release(THREE);
    return fence;
  }

  void lateRequestAcquiresNothing() {
    long fence = usedBefore();
    isGone(ONE);
    is(left(GONE + ":c:1"), HOUR);
    is(left(GONE), HOUR);
    is(get(FENCE), fence + "+0");
    is(left(FENCE), DAY_AND_HOUR);
    takesNothing(() -> acquire(ONE));
    check(!isThere(LOCK), "refused, and held");
    is(get(FENCE), fence + "+0");
    is(acquire(TWO), fence + 1);
    is(get(FENCE), fence + 1 + "+0");
  }

  void markedFenceReservesNumbers() {
    long fence = (Long) acquire(TWO, 5, 0).get(0);
    isGone(ONE);
    is(get(FENCE), fence + "+05");
    isGone(THREE);
    is(get(FENCE), fence + "+05");
    release(TWO);
    is(acquire(TWO, 1, 0), List.of(fence + 6, 1L));
    is(get(FENCE), fence + 6 + "+01");
    release(TWO);
    is(acquire(TWO), fence + 8);
    is(get(FENCE), fence + 8 + "+0");
  }

  void missingFenceTriggersTheLookUp() {
    isGone(ONE);
    check(!isThere(FENCE), "a fence without a holder");
    takesNothing(() -> acquire(ONE));
    check(!isThere(LOCK), "refused, and held");
    is(get(FENCE), null);
    long fence = acquire(TWO);
    is(get(FENCE), fence + "+0");
  }

  /**
   * The fence as an older client writes it: the mark is not looked for, which harms no other
   * client.
   */
  void unmarkedFenceTriggersNoLookUp() {
    long fence = usedBefore();
    isGone(ONE);
    server.call("SET", FENCE, Long.toString(fence));
    is(acquire(ONE), fence + 1);
    is(get(FENCE), Long.toString(fence + 1));
  }

  void markIsRemovedWithTheLastReleasedToken() {
    usedBefore();
    isGone(ONE);
    micros += 3601 * SECOND;
    long fence = acquire(TWO);
    is(get(FENCE), Long.toString(fence));
  }

  void holderIsGrantedAgain() {
    long fence = acquire(ONE);
    isGone(ONE);
    is(acquire(ONE), fence);
    is(get(LOCK), "c:1");
  }

  void raisedFenceKeepsTheMark() {
    long fence = acquire(ONE);
    isGone(TWO);
    send(ScriptScene.raise(ONE, fence + 10));
    is(get(FENCE), fence + 10 + "+0");
  }

  void returnedNumbersKeepTheMark() {
    long fence = (Long) acquire(ONE, 5, 0).get(0);
    isGone(TWO);
    release(ONE, fence + 2, fence + 5);
    is(get(FENCE), fence + 2 + "+0");
  }

  // ---- several at once ----

  private Object together(LeaseKey... keys) {
    List<AcquireRequest> requests =
        Stream.of(keys).map(key -> new AcquireRequest(key, LEASE, IfHeld.REFUSE)).toList();
    return send(new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE).acquire(requests, List.of()));
  }

  private void areFree() {
    check(!isThere(LOCK) && !isThere("lh:{b}"), "refused, and held");
  }

  void lateRequestForSeveralAcquiresNothing() {
    together(TWO, ANOTHERS_B);
    release(TWO);
    release(ANOTHERS_B);
    isGone(B);
    takesNothing(() -> together(ONE, B));
    areFree();
    Object fence = together(TWO, ANOTHERS_B);
    is(get(FENCE), fence.toString());
    is(get("lh:{b}:fence"), fence + "+0");
    is(together(TWO, ANOTHERS_B), fence);
  }

  void lateRequestForSeveralWithoutAFenceAcquiresNothing() {
    isGone(B);
    takesNothing(() -> together(ONE, B));
    areFree();
  }

  void unmarkedFencesOfSeveralTriggerNoLookUp() {
    together(TWO, ANOTHERS_B);
    release(TWO);
    release(ANOTHERS_B);
    isGone(B);
    server.call("SET", "lh:{b}:fence", "7");
    Object fence = together(ONE, B);
    is(get("lh:{b}:fence"), fence.toString());
  }

  void holderOfSeveralIsGrantedAgain() {
    Object fence = together(ONE, B);
    isGone(B);
    is(together(ONE, B), fence);
  }

  // ---- kinds ----

  void lateRequestAcquiresNoSlots() {
    votes();
    isGone(ONE);
    takesNothing(() -> votes(ONE, 4, 0));
    check((Long) votes(TWO, 4, 0) > 0, "another is refused");
  }

  void lateRequestAcquiresNoSideOnANode() {
    votes();
    isGone(ONE);
    takesNothing(() -> asksNode(ONE));
    check((Long) asksNode(TWO) > 0, "another is refused");
  }

  private Object asksNode(LeaseKey key) {
    return send(
        voter(Duration.ofMillis(1))
            .guard(
                side(Side.WRITE)
                    .vote(
                        new AcquireRequest(key, LEASE, IfHeld.REFUSE),
                        Publishing.toStore("a", Publishing.COUNTS_ALL),
                        0),
                Script.GUARDED_READ_WRITE_ACQUIRE,
                "run1"));
  }

  void lateRequestAcquiresNoPermitsAndSides() {
    isGone(ONE);
    takesNothing(() -> takes(ONE, 1, 2));
    takesNothing(() -> reads(ONE));
    takesNothing(() -> writes(ONE));
    check(takes(TWO, 2, 2) && writes(TWO) > 0, "another is refused");
  }

  void lateRequestAcquiresNothingOnRedissonsKeys() {
    AdapterScene s = new AdapterScene();
    s.isGone("c:1");
    takesNothing(() -> s.asks("c:1", 10_000, 1, 2, false));
    takesNothing(() -> s.enters("c:1", false, 10_000, ""));
    takesNothing(() -> s.enters("c:1", true, 10_000, ""));
    is(s.asks("c:2", 10_000, 2, 2, false), 1L);
  }
}
