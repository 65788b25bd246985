package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import java.time.Duration;
import java.util.List;

/**
 * As {@link ReadWriteStories}, with exact fences and times exact to the millisecond. Each method
 * throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class SideStories extends KindScene {
  private static final String FENCES = LOCK + ":rw:fences";
  private static final long DAY = 86_400_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Larger than any fence. */
  private static final long MOST = 9_007_199_254_740_990L;

  private Object fences() {
    return server.call("HMGET", FENCES, "fence", "wfence");
  }

  private static List<String> both(long fence, long written) {
    return List.of(Long.toString(fence), Long.toString(written));
  }

  void firstFencesAreTheTime() {
    is(reads(ONE), micros);
    is(fences(), both(micros, micros - 1));
    is(left(FENCES), DAY);
    gives(ONE, Side.READ);
    micros += 1_500_000;
    is(writes(TWO), micros);
    is(fences(), both(micros, micros));
    is(left(FENCES), DAY);
  }

  void repeatedAcquisitionKeepsTheWritersFence() {
    long first = writes(ONE, 1);
    is(fences(), both(first + 1, first + 1));
    micros += 1_000_000;
    AcquireRequest again =
        new AcquireRequest(ONE, LEASE, IfHeld.REFUSE).repeated().withHandOvers(5);
    is(
        send(side(Side.WRITE).acquire(again, Publishing.toStore("a", Publishing.COUNTS_ALL))),
        List.of(first + 1, 0L));
  }

  void invalidFencesAreRefusedAndAcquireNothing() {
    for (String counter : List.of("fence", "wfence")) {
      for (Object strange : List.of("x", MOST)) {
        KindScene k = new KindScene();
        k.server.call("HSET", FENCES, counter, strange.toString());
        for (Side side : Side.values()) {
          String words = refused(() -> k.enters(ONE, side, LEASE, ""));
          check(words.contains("has no fences"), words);
        }
        check(!k.isThere(LOCK + ":writer"), "refused, and written");
        check(!k.isThere(LOCK + ":readers"), "refused, and read");
      }
    }
  }

  void readersKeyExpiresWithTheLastReader() {
    reads(ONE);
    is(leftOf(":readers"), 10_000L);
    enters(TWO, Side.READ, MINUTE, "");
    is(leftOf(":readers"), 60_000L);
    String end = Long.toString(micros / 1000 + 60_000);
    is(server.call("ZSCORE", LOCK + ":readers", "1:c:2"), end);
  }

  void refusalReportsTheNextChange() {
    reads(ONE);
    enters(TWO, Side.READ, MINUTE, "");
    is(writes(THREE), -10_001L);
    gives(ONE, Side.READ);
    gives(TWO, Side.READ);
    writes(ONE);
    is(reads(THREE), -10_001L);
    micros += 10_000_000;
    is(reads(THREE), -1L);
    server.call("SET", LOCK + ":writer", "x:another");
    is(reads(THREE), -1001L);
  }

  void inspectionReturnsHoldersOfBothSides() {
    is(inspects(Side.READ), null);
    is(inspects(Side.WRITE), null);
    long fence = writes(ONE);
    is(inspects(Side.WRITE), List.of("c:1", 10_000L, Long.toString(fence)));
    is(inspects(Side.READ), null);
    gives(ONE, Side.WRITE);
    enters(TWO, Side.READ, MINUTE, "");
    reads(THREE);
    is(inspects(Side.READ), List.of("c:2", 60_000L, Long.toString(fence + 1)));
    is(inspects(Side.WRITE), null);
    micros += 59_999_000;
    is(inspects(Side.READ), List.of("c:2", 1L, Long.toString(fence + 1)));
    micros += 1_000;
    is(inspects(Side.READ), null);
  }

  void reservationHasNoHolder() {
    listen("s0");
    writes(ONE);
    waits(TWO, Side.WRITE);
    gives(ONE, Side.WRITE);
    is(inspects(Side.WRITE), null);
    leaves(TWO, Side.WRITE);
    writes(ONE);
    waits(TWO, Side.READ);
    gives(ONE, Side.WRITE);
    is(inspects(Side.READ), null);
  }

  private Object inspects(Side side) {
    return send(side(side).inspection("a").orElseThrow());
  }

  void onlyTheHolderRaisesTheFences() {
    long first = writes(ONE);
    is(send(side(Side.WRITE).raise(TWO, first + 5, 0)), 0L);
    is(send(side(Side.READ).raise(ONE, first + 5, 0)), 0L);
    is(fences(), both(first, first));
  }

  void writerRaisesBothFences() {
    long first = writes(ONE);
    micros += 1_000_000;
    is(send(side(Side.WRITE).raise(ONE, first + 5, 2)), 1L);
    is(fences(), both(first + 7, first + 7));
    is(left(FENCES), DAY);
    is(send(side(Side.WRITE).raise(ONE, first + 3, 2)), 1L);
    is(fences(), both(first + 7, first + 7));
  }

  void readerRaisesOneFence() {
    long first = reads(ONE);
    is(send(side(Side.READ).raise(ONE, first + 5, 0)), 1L);
    is(fences(), both(first + 5, first - 1));
    is(send(side(Side.READ).raise(ONE, first + 3, 0)), 1L);
    is(fences(), both(first + 5, first - 1));
  }

  void missingFenceIsRaised() {
    writes(ONE);
    server.call("DEL", FENCES);
    is(send(side(Side.WRITE).raise(ONE, 5, 2)), 1L);
    is(fences(), both(7, 7));
  }

  void invalidFenceIsNotRaised() {
    for (String counter : List.of("fence", "wfence")) {
      KindScene k = new KindScene();
      k.writes(ONE);
      k.server.call("HSET", FENCES, counter, "x");
      String words = refused(() -> k.send(k.side(Side.WRITE).raise(ONE, 5, 0)));
      check(words.contains("has no fences"), words);
    }
    writes(ONE);
    String words = refused(() -> send(side(Side.WRITE).raise(ONE, MOST, 0)));
    check(words.contains("has no fences"), words);
    is(send(side(Side.WRITE).raise(ONE, MOST - 1, 0)), 1L);
  }

  void nodeUsesProposedPlaces() {
    votes();
    writes(ONE);
    waitsOnANode(TWO, 0, 2_000);
    is(place("w s0:c:2"), Long.toString(micros - 2_000));
    long proposal = micros - 100_000;
    waitsOnANode(THREE, proposal, 2_000);
    is(place("w s0:c:3"), Long.toString(proposal - 2_000));
    waitsOnANode(THREE, proposal + 50_000, 2_000); // a late request
    is(place("w s0:c:3"), Long.toString(proposal - 2_000));
  }

  private Object place(String waiter) {
    return server.call("ZSCORE", LOCK + ":rw:wait", waiter);
  }

  void holderLeavesTheQueue() {
    writes(ONE);
    waits(TWO, Side.WRITE);
    micros += 10_000_001;
    long fence = asksAgain(TWO, Side.WRITE, "", IfHeld.REFUSE);
    check(fence > 0, "the lock is free");
    is(server.call("ZCARD", LOCK + ":rw:wait"), 0L);
  }
}
