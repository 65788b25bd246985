package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.IfHeld;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link KindStories}, for latches, exact to the millisecond. Each method throws if the
 * behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class LatchStories extends KindScene {
  private static final String LATCH = LOCK + ":latch";
  private static final String COUNTED = LATCH + ":counted";
  private static final String LINE = LATCH + ":wait";
  private static final long HOUR = 3_600_000;
  private static final long MINUTE = 60_000;
  private static final long REMEMBERED = 150_000;

  private void passes(long millis) {
    micros += millis * 1000;
  }

  /** A latch that expires in this many ms. */
  private LatchStories withLeft(long millis) {
    opens("r1", 2);
    counts("t1");
    passes(MINUTE - millis);
    return this;
  }

  void lookReturnsTheLatch() {
    is(look(IfHeld.REFUSE), null);
    opens("r1", 2);
    is(look(IfHeld.REFUSE), List.of("r1", 2L, MINUTE, ""));
    is(left(LATCH), MINUTE + REMEMBERED);
  }

  void countDownsOutliveTheLatch() {
    opens("r1", 2);
    counts("t1");
    is(server.call("ZSCORE", COUNTED, "t1"), Long.toString(micros / 1000));
    is(left(COUNTED), MINUTE + HOUR);
    counts("t1");
    is(left(COUNTED), MINUTE + HOUR);
    passes(2 * MINUTE);
    check(counts("t1"), "not counted, and it was");
    is(left(COUNTED), HOUR);
  }

  void latchExpires() {
    check(new LatchStories().withLeft(1).counts("t2"), "over too soon");
    check(!new LatchStories().withLeft(0).counts("t2"), "counted, and it is over");
    check(!new LatchStories().withLeft(1).opens("r2", 1), "opened anew, and it is not over");
    check(new LatchStories().withLeft(0).opens("r2", 1), "not opened anew, and it is over");
  }

  void eachStoreIsNotifiedOnce() {
    List<String> told = new ArrayList<>();
    server.subscribe("lh:wake:s0", (channel, message) -> told.add(message));
    opens("r1", 1);
    send(latches.look(ONE, IfHeld.ENQUEUE));
    send(latches.look(TWO, IfHeld.ENQUEUE));
    is(server.call("ZCARD", LINE), 2L);
    counts("t1");
    is(told, List.of("a"));
    check(!isThere(LINE), "they wait, and it is open");
  }

  void aThousandStoresAreNotified() {
    List<String> told = new ArrayList<>();
    for (String store : List.of("x999", "x1000")) {
      server.subscribe("lh:wake:" + store, (channel, message) -> told.add(store));
    }
    opens("r1", 1);
    for (int i = 0; i <= 1000; i++) {
      server.call("ZADD", LINE, Integer.toString(i), "x" + i + ":t");
    }
    counts("t1");
    is(told, List.of("x999"));
  }

  void waiterAtZeroIsNotQueued() {
    withLeft(1);
    counts("t2");
    server.call("ZADD", LINE, "1", "s0:c:4");
    look(IfHeld.ENQUEUE);
    check(!isThere(LINE), "it waits for one that is open");
    passes(1);
    look(IfHeld.ENQUEUE);
    is(server.call("ZSCORE", LINE, "s0:c:4"), Long.toString(micros / 1000));
    is(left(LINE), REMEMBERED);
  }

  void silentWaiterLeavesTheQueue() {
    send(latches.look(ONE, IfHeld.ENQUEUE));
    passes(REMEMBERED / 2 + 1);
    send(latches.look(TWO, IfHeld.ENQUEUE));
    is(server.call("ZCARD", LINE), 2L);
    passes(REMEMBERED / 2);
    look(IfHeld.ENQUEUE);
    is(server.call("ZRANGE", LINE, "0", "-1"), List.of("s0:c:2", "s0:c:4"));
  }

  void lookReturnsThePassedRound() {
    withLeft(1);
    counts("t2");
    passes(1);
    opens("r2", 3);
    is(look(IfHeld.REFUSE), List.of("r2", 3L, MINUTE, "r1"));
    passes(MINUTE);
    opens("r3", 1);
    is(look(IfHeld.REFUSE), List.of("r3", 1L, MINUTE, ""));
  }

  void oldCountDownsAreForgotten() {
    opens("r1", 2);
    counts("t1");
    passes(50 * MINUTE);
    opens("r2", 3);
    counts("t2");
    passes(20 * MINUTE);
    opens("r3", 3);
    check(counts("t2") && missing() == 3, "counted twice: " + missing());
    check(counts("t1") && missing() == 2, "never forgotten: " + missing());
  }

  void keyOfAnotherTypeIsRefused() {
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
      k.server.call(words);
      String error = refused(() -> k.look(IfHeld.REFUSE));
      check(error.startsWith("WRONGTYPE"), error);
    }
  }
}
