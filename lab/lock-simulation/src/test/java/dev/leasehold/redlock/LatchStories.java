package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.refused;

import dev.leasehold.lock.spi.IfHeld;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link KindStories}, for latches, exact to the millisecond. Static methods without parameters;
 * each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class LatchStories {
  private static final String LATCH = LOCK + ":latch";
  private static final String COUNTED = LATCH + ":counted";
  private static final String LINE = LATCH + ":wait";
  private static final long HOUR = 3_600_000;
  private static final long MINUTE = 60_000;
  private static final long REMEMBERED = 150_000;

  private LatchStories() {}

  private static void passes(KindScene k, long millis) {
    k.s.micros += millis * 1000;
  }

  /** A latch that expires in this many ms. */
  private static KindScene withLeft(long millis) {
    KindScene k = new KindScene();
    k.opens("r1", 2);
    k.counts("t1");
    passes(k, MINUTE - millis);
    return k;
  }

  static void lookReturnsTheLatch() {
    KindScene k = new KindScene();
    is(k.look(IfHeld.REFUSE), null);
    k.opens("r1", 2);
    is(k.look(IfHeld.REFUSE), List.of("r1", 2L, MINUTE, ""));
    is(k.s.left(LATCH), MINUTE + REMEMBERED);
  }

  static void countDownsOutliveTheLatch() {
    KindScene k = new KindScene();
    k.opens("r1", 2);
    k.counts("t1");
    is(k.s.server.call("ZSCORE", COUNTED, "t1"), Long.toString(k.s.micros / 1000));
    is(k.s.left(COUNTED), MINUTE + HOUR);
    k.counts("t1");
    is(k.s.left(COUNTED), MINUTE + HOUR);
    passes(k, 2 * MINUTE);
    check(k.counts("t1"), "not counted, and it was");
    is(k.s.left(COUNTED), HOUR);
  }

  static void latchExpires() {
    check(withLeft(1).counts("t2"), "over too soon");
    check(!withLeft(0).counts("t2"), "counted, and it is over");
    check(!withLeft(1).opens("r2", 1), "opened anew, and it is not over");
    check(withLeft(0).opens("r2", 1), "not opened anew, and it is over");
  }

  static void eachStoreIsNotifiedOnce() {
    KindScene k = new KindScene();
    List<String> told = new ArrayList<>();
    k.s.server.subscribe("lh:wake:s0", (channel, message) -> told.add(message));
    k.opens("r1", 1);
    k.s.send(k.latches.look(ONE, IfHeld.ENQUEUE));
    k.s.send(k.latches.look(TWO, IfHeld.ENQUEUE));
    is(k.s.server.call("ZCARD", LINE), 2L);
    k.counts("t1");
    is(told, List.of("a"));
    check(!k.s.isThere(LINE), "they wait, and it is open");
  }

  static void aThousandStoresAreNotified() {
    KindScene k = new KindScene();
    List<String> told = new ArrayList<>();
    for (String store : List.of("x999", "x1000")) {
      k.s.server.subscribe("lh:wake:" + store, (channel, message) -> told.add(store));
    }
    k.opens("r1", 1);
    for (int i = 0; i <= 1000; i++) {
      k.s.server.call("ZADD", LINE, Integer.toString(i), "x" + i + ":t");
    }
    k.counts("t1");
    is(told, List.of("x999"));
  }

  static void waiterAtZeroIsNotQueued() {
    KindScene k = withLeft(1);
    k.counts("t2");
    k.s.server.call("ZADD", LINE, "1", "s0:c:4");
    k.look(IfHeld.ENQUEUE);
    check(!k.s.isThere(LINE), "it waits for one that is open");
    passes(k, 1);
    k.look(IfHeld.ENQUEUE);
    is(k.s.server.call("ZSCORE", LINE, "s0:c:4"), Long.toString(k.s.micros / 1000));
    is(k.s.left(LINE), REMEMBERED);
  }

  static void silentWaiterLeavesTheQueue() {
    KindScene k = new KindScene();
    k.s.send(k.latches.look(ONE, IfHeld.ENQUEUE));
    passes(k, REMEMBERED / 2 + 1);
    k.s.send(k.latches.look(TWO, IfHeld.ENQUEUE));
    is(k.s.server.call("ZCARD", LINE), 2L);
    passes(k, REMEMBERED / 2);
    k.look(IfHeld.ENQUEUE);
    is(k.s.server.call("ZRANGE", LINE, "0", "-1"), List.of("s0:c:2", "s0:c:4"));
  }

  static void lookReturnsThePassedRound() {
    KindScene k = withLeft(1);
    k.counts("t2");
    passes(k, 1);
    k.opens("r2", 3);
    is(k.look(IfHeld.REFUSE), List.of("r2", 3L, MINUTE, "r1"));
    passes(k, MINUTE);
    k.opens("r3", 1);
    is(k.look(IfHeld.REFUSE), List.of("r3", 1L, MINUTE, ""));
  }

  static void oldCountDownsAreForgotten() {
    KindScene k = new KindScene();
    k.opens("r1", 2);
    k.counts("t1");
    passes(k, 50 * MINUTE);
    k.opens("r2", 3);
    k.counts("t2");
    passes(k, 20 * MINUTE);
    k.opens("r3", 3);
    check(k.counts("t2") && k.missing() == 3, "counted twice: " + k.missing());
    check(k.counts("t1") && k.missing() == 2, "never forgotten: " + k.missing());
  }

  static void keyOfAnotherTypeIsRefused() {
    for (List<String> some :
        List.of(
            List.of("passed", "", "count", "1"),
            List.of("round", "r1", "count", "1"),
            List.of("round", "r1", "passed", "", "count", "x"),
            List.of("round", "r1", "passed", ""),
            List.of("other", "1"))) {
      KindScene k = new KindScene();
      List<String> words = new ArrayList<>(List.of("HSET", LATCH));
      words.addAll(some);
      k.s.server.call(words);
      String error = refused(() -> k.look(IfHeld.REFUSE));
      check(error.startsWith("WRONGTYPE"), error);
    }
  }
}
