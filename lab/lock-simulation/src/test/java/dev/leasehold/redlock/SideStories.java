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
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.List;

/**
 * As {@link ReadWriteStories}, with exact fences and times exact to the millisecond. Static methods
 * without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SideStories {
  private static final String FENCES = LOCK + ":rw:fences";
  private static final long DAY = 86_400_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  private SideStories() {}

  private static Object fences(KindScene k) {
    return k.s.server.call("HMGET", FENCES, "fence", "wfence");
  }

  private static List<String> both(long fence, long written) {
    return List.of(Long.toString(fence), Long.toString(written));
  }

  static void firstFencesAreTheTime() {
    KindScene k = new KindScene();
    is(k.reads(ONE), k.s.micros);
    is(fences(k), both(k.s.micros, k.s.micros - 1));
    is(k.s.left(FENCES), DAY);
    k.gives(ONE, Side.READ);
    k.s.micros += 1_500_000;
    is(k.writes(TWO), k.s.micros);
    is(fences(k), both(k.s.micros, k.s.micros));
    is(k.s.left(FENCES), DAY);
  }

  static void repeatedAcquisitionKeepsTheWritersFence() {
    KindScene k = new KindScene();
    long first = k.writes(ONE, 1);
    is(fences(k), both(first + 1, first + 1));
    k.s.micros += 1_000_000;
    AcquireRequest again =
        new AcquireRequest(ONE, LEASE, IfHeld.REFUSE).repeated().withHandOvers(5);
    is(
        k.s.send(k.side(Side.WRITE).acquire(again, Publishing.toStore("a", Publishing.COUNTS_ALL))),
        List.of(first + 1, 0L));
  }

  static void invalidFencesAreRefusedAndAcquireNothing() {
    for (String counter : List.of("fence", "wfence")) {
      for (Object strange : List.of("x", MOST)) {
        KindScene k = new KindScene();
        k.s.server.call("HSET", FENCES, counter, strange.toString());
        for (Side side : Side.values()) {
          String words = refused(() -> k.enters(ONE, side, LEASE, ""));
          check(words.contains("has no fences"), words);
        }
        check(!k.s.isThere(LOCK + ":writer"), "refused, and written");
        check(!k.s.isThere(LOCK + ":readers"), "refused, and read");
      }
    }
  }

  static void readersKeyExpiresWithTheLastReader() {
    KindScene k = new KindScene();
    k.reads(ONE);
    is(k.left(":readers"), 10_000L);
    k.enters(TWO, Side.READ, MINUTE, "");
    is(k.left(":readers"), 60_000L);
    String end = Long.toString(k.s.micros / 1000 + 60_000);
    is(k.s.server.call("ZSCORE", LOCK + ":readers", "1:c:2"), end);
  }

  static void refusalReportsTheNextChange() {
    KindScene k = new KindScene();
    k.reads(ONE);
    k.enters(TWO, Side.READ, MINUTE, "");
    is(k.writes(THREE), -10_001L);
    k.gives(ONE, Side.READ);
    k.gives(TWO, Side.READ);
    k.writes(ONE);
    is(k.reads(THREE), -10_001L);
    k.s.micros += 10_000_000;
    is(k.reads(THREE), -1L);
    k.s.server.call("SET", LOCK + ":writer", "x:another");
    is(k.reads(THREE), -1001L);
  }

  static void inspectionReturnsHoldersOfBothSides() {
    KindScene k = new KindScene();
    is(inspects(k, Side.READ), null);
    is(inspects(k, Side.WRITE), null);
    long fence = k.writes(ONE);
    is(inspects(k, Side.WRITE), List.of("c:1", 10_000L, Long.toString(fence)));
    is(inspects(k, Side.READ), null);
    k.gives(ONE, Side.WRITE);
    k.enters(TWO, Side.READ, MINUTE, "");
    k.reads(THREE);
    is(inspects(k, Side.READ), List.of("c:2", 60_000L, Long.toString(fence + 1)));
    is(inspects(k, Side.WRITE), null);
    k.s.micros += 59_999_000;
    is(inspects(k, Side.READ), List.of("c:2", 1L, Long.toString(fence + 1)));
    k.s.micros += 1_000;
    is(inspects(k, Side.READ), null);
  }

  static void reservationHasNoHolder() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.writes(ONE);
    k.waits(TWO, Side.WRITE);
    k.gives(ONE, Side.WRITE);
    is(inspects(k, Side.WRITE), null);
    k.leaves(TWO, Side.WRITE);
    k.writes(ONE);
    k.waits(TWO, Side.READ);
    k.gives(ONE, Side.WRITE);
    is(inspects(k, Side.READ), null);
  }

  private static Object inspects(KindScene k, Side side) {
    return k.s.send(k.side(side).inspection("a").orElseThrow());
  }

  static void onlyTheHolderRaisesTheFences() {
    KindScene k = new KindScene();
    long first = k.writes(ONE);
    is(k.s.send(k.side(Side.WRITE).raise(TWO, first + 5, 0)), 0L);
    is(k.s.send(k.side(Side.READ).raise(ONE, first + 5, 0)), 0L);
    is(fences(k), both(first, first));
  }

  static void writerRaisesBothFences() {
    KindScene k = new KindScene();
    long first = k.writes(ONE);
    k.s.micros += 1_000_000;
    is(k.s.send(k.side(Side.WRITE).raise(ONE, first + 5, 2)), 1L);
    is(fences(k), both(first + 7, first + 7));
    is(k.s.left(FENCES), DAY);
    is(k.s.send(k.side(Side.WRITE).raise(ONE, first + 3, 2)), 1L);
    is(fences(k), both(first + 7, first + 7));
  }

  static void readerRaisesOneFence() {
    KindScene k = new KindScene();
    long first = k.reads(ONE);
    is(k.s.send(k.side(Side.READ).raise(ONE, first + 5, 0)), 1L);
    is(fences(k), both(first + 5, first - 1));
    is(k.s.send(k.side(Side.READ).raise(ONE, first + 3, 0)), 1L);
    is(fences(k), both(first + 5, first - 1));
  }

  static void missingFenceIsRaised() {
    KindScene k = new KindScene();
    k.writes(ONE);
    k.s.server.call("DEL", FENCES);
    is(k.s.send(k.side(Side.WRITE).raise(ONE, 5, 2)), 1L);
    is(fences(k), both(7, 7));
  }

  static void invalidFenceIsNotRaised() {
    for (String counter : List.of("fence", "wfence")) {
      KindScene k = new KindScene();
      k.writes(ONE);
      k.s.server.call("HSET", FENCES, counter, "x");
      String words = refused(() -> k.s.send(k.side(Side.WRITE).raise(ONE, 5, 0)));
      check(words.contains("has no fences"), words);
    }
    KindScene k = new KindScene();
    k.writes(ONE);
    String words = refused(() -> k.s.send(k.side(Side.WRITE).raise(ONE, MOST, 0)));
    check(words.contains("has no fences"), words);
    is(k.s.send(k.side(Side.WRITE).raise(ONE, MOST - 1, 0)), 1L);
  }

  static void nodeUsesProposedPlaces() {
    KindScene k = new KindScene();
    k.votes();
    k.writes(ONE);
    k.waitsOnANode(TWO, 0, 2_000);
    is(place(k, "w s0:c:2"), Long.toString(k.s.micros - 2_000));
    long proposal = k.s.micros - 100_000;
    k.waitsOnANode(THREE, proposal, 2_000);
    is(place(k, "w s0:c:3"), Long.toString(proposal - 2_000));
    k.waitsOnANode(THREE, proposal + 50_000, 2_000); // a late request
    is(place(k, "w s0:c:3"), Long.toString(proposal - 2_000));
  }

  private static Object place(KindScene k, String waiter) {
    return k.s.server.call("ZSCORE", LOCK + ":rw:wait", waiter);
  }

  static void holderLeavesTheQueue() {
    KindScene k = new KindScene();
    k.writes(ONE);
    k.waits(TWO, Side.WRITE);
    k.s.micros += 10_000_001;
    long fence = k.asksAgain(TWO, Side.WRITE, "", IfHeld.REFUSE);
    check(fence > 0, "the lock is free");
    is(k.s.server.call("ZCARD", LOCK + ":rw:wait"), 0L);
  }
}
