package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.refused;

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
 * with a manual clock. Static methods without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class GoneStories {
  private static final String FENCE = LOCK + ":fence";
  private static final String GONE = LOCK + ":gone";
  private static final LeaseKey B = new LeaseKey("b", "c:1");
  private static final LeaseKey ANOTHERS_B = new LeaseKey("b", "c:2");
  private static final long HOUR = 3_600_000;
  private static final long DAY_AND_HOUR = 90_000_000;

  private GoneStories() {}

  private static void isGone(ScriptScene s, LeaseKey key) {
    is(s.send(FencedScripts.gone(key, KeySpace.WHOLE)), 1L);
  }

  private static void takesNothing(Runnable late) {
    String words = refused(late);
    check(words.contains("released before"), words);
  }

  /** Leaves the fence of an earlier holder, and returns it. */
  private static long usedBefore(ScriptScene s) {
    long fence = s.acquire(THREE);
    s.release(THREE);
    return fence;
  }

  static void lateRequestAcquiresNothing() {
    ScriptScene s = new ScriptScene();
    long fence = usedBefore(s);
    isGone(s, ONE);
    is(s.left(GONE + ":c:1"), HOUR);
    is(s.left(GONE), HOUR);
    is(s.get(FENCE), fence + "+0");
    is(s.left(FENCE), DAY_AND_HOUR);
    takesNothing(() -> s.acquire(ONE));
    check(!s.isThere(LOCK), "refused, and held");
    is(s.get(FENCE), fence + "+0");
    is(s.acquire(TWO), fence + 1);
    is(s.get(FENCE), fence + 1 + "+0");
  }

  static void markedFenceReservesNumbers() {
    ScriptScene s = new ScriptScene();
    long fence = (Long) s.acquire(TWO, 5, 0).get(0);
    isGone(s, ONE);
    is(s.get(FENCE), fence + "+05");
    isGone(s, THREE);
    is(s.get(FENCE), fence + "+05");
    s.release(TWO);
    is(s.acquire(TWO, 1, 0), List.of(fence + 6, 1L));
    is(s.get(FENCE), fence + 6 + "+01");
    s.release(TWO);
    is(s.acquire(TWO), fence + 8);
    is(s.get(FENCE), fence + 8 + "+0");
  }

  static void missingFenceTriggersTheLookUp() {
    ScriptScene s = new ScriptScene();
    isGone(s, ONE);
    check(!s.isThere(FENCE), "a fence without a holder");
    takesNothing(() -> s.acquire(ONE));
    check(!s.isThere(LOCK), "refused, and held");
    is(s.get(FENCE), null);
    long fence = s.acquire(TWO);
    is(s.get(FENCE), fence + "+0");
  }

  /**
   * The fence as an older client writes it: the mark is not looked for, which harms no other
   * client.
   */
  static void unmarkedFenceTriggersNoLookUp() {
    ScriptScene s = new ScriptScene();
    long fence = usedBefore(s);
    isGone(s, ONE);
    s.server.call("SET", FENCE, Long.toString(fence));
    is(s.acquire(ONE), fence + 1);
    is(s.get(FENCE), Long.toString(fence + 1));
  }

  static void markIsRemovedWithTheLastReleasedToken() {
    ScriptScene s = new ScriptScene();
    usedBefore(s);
    isGone(s, ONE);
    s.micros += 3601 * SECOND;
    long fence = s.acquire(TWO);
    is(s.get(FENCE), Long.toString(fence));
  }

  static void holderIsGrantedAgain() {
    ScriptScene s = new ScriptScene();
    long fence = s.acquire(ONE);
    isGone(s, ONE);
    is(s.acquire(ONE), fence);
    is(s.get(LOCK), "c:1");
  }

  static void raisedFenceKeepsTheMark() {
    ScriptScene s = new ScriptScene();
    long fence = s.acquire(ONE);
    isGone(s, TWO);
    s.send(ScriptScene.raise(ONE, fence + 10));
    is(s.get(FENCE), fence + 10 + "+0");
  }

  static void returnedNumbersKeepTheMark() {
    ScriptScene s = new ScriptScene();
    long fence = (Long) s.acquire(ONE, 5, 0).get(0);
    isGone(s, TWO);
    s.release(ONE, fence + 2, fence + 5);
    is(s.get(FENCE), fence + 2 + "+0");
  }

  // ---- several at once ----

  private static Object together(ScriptScene s, LeaseKey... keys) {
    List<AcquireRequest> requests =
        Stream.of(keys).map(key -> new AcquireRequest(key, LEASE, IfHeld.REFUSE)).toList();
    return s.send(new TogetherScripts(KeySpace.WHOLE).acquire(requests, List.of()));
  }

  private static void areFree(ScriptScene s) {
    check(!s.isThere(LOCK) && !s.isThere("lh:{b}"), "refused, and held");
  }

  static void lateRequestForSeveralAcquiresNothing() {
    ScriptScene s = new ScriptScene();
    together(s, TWO, ANOTHERS_B);
    s.release(TWO);
    s.release(ANOTHERS_B);
    isGone(s, B);
    takesNothing(() -> together(s, ONE, B));
    areFree(s);
    Object fence = together(s, TWO, ANOTHERS_B);
    is(s.get(FENCE), fence.toString());
    is(s.get("lh:{b}:fence"), fence + "+0");
    is(together(s, TWO, ANOTHERS_B), fence);
  }

  static void lateRequestForSeveralWithoutAFenceAcquiresNothing() {
    ScriptScene s = new ScriptScene();
    isGone(s, B);
    takesNothing(() -> together(s, ONE, B));
    areFree(s);
  }

  static void unmarkedFencesOfSeveralTriggerNoLookUp() {
    ScriptScene s = new ScriptScene();
    together(s, TWO, ANOTHERS_B);
    s.release(TWO);
    s.release(ANOTHERS_B);
    isGone(s, B);
    s.server.call("SET", "lh:{b}:fence", "7");
    Object fence = together(s, ONE, B);
    is(s.get("lh:{b}:fence"), fence.toString());
  }

  static void holderOfSeveralIsGrantedAgain() {
    ScriptScene s = new ScriptScene();
    Object fence = together(s, ONE, B);
    isGone(s, B);
    is(together(s, ONE, B), fence);
  }

  // ---- kinds ----

  static void lateRequestAcquiresNoSlots() {
    KindScene k = new KindScene();
    k.votes();
    isGone(k.s, ONE);
    takesNothing(() -> k.votes(ONE, 4, 0));
    check((Long) k.votes(TWO, 4, 0) > 0, "another is refused");
  }

  static void lateRequestAcquiresNoSideOnANode() {
    KindScene k = new KindScene();
    k.votes();
    isGone(k.s, ONE);
    takesNothing(() -> asksNode(k, ONE));
    check((Long) asksNode(k, TWO) > 0, "another is refused");
  }

  private static Object asksNode(KindScene k, LeaseKey key) {
    return k.s.send(
        GuardStories.voter(Duration.ofMillis(1))
            .guard(
                k.side(Side.WRITE)
                    .vote(
                        new AcquireRequest(key, LEASE, IfHeld.REFUSE),
                        Publishing.toStore("a", Publishing.COUNTS_ALL),
                        0),
                Script.GUARDED_READ_WRITE_ACQUIRE,
                "run1"));
  }

  static void lateRequestAcquiresNoPermitsAndSides() {
    KindScene k = new KindScene();
    isGone(k.s, ONE);
    takesNothing(() -> k.takes(ONE, 1, 2));
    takesNothing(() -> k.reads(ONE));
    takesNothing(() -> k.writes(ONE));
    check(k.takes(TWO, 2, 2) && k.writes(TWO) > 0, "another is refused");
  }

  static void lateRequestAcquiresNothingOnRedissonsKeys() {
    AdapterScene s = new AdapterScene();
    s.isGone("c:1");
    takesNothing(() -> s.asks("c:1", 10_000, 1, 2, false));
    takesNothing(() -> s.enters("c:1", false, 10_000, ""));
    takesNothing(() -> s.enters("c:1", true, 10_000, ""));
    is(s.asks("c:2", 10_000, 2, 2, false), 1L);
  }
}
