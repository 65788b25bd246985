package dev.leasehold.redlock;

import static dev.leasehold.redlock.KindScene.FOUR;
import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;

import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;

/**
 * As {@link KindStories}, for the line of waiters and its door. Static methods without parameters;
 * each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class LineStories {
  private LineStories() {}

  private static Object line(KindScene k) {
    return k.s.server.call("ZRANGE", LOCK + ":permits:wait", "0", "-1");
  }

  private static final String PLACES = LOCK + ":permits:wait";
  private static final String ENDS = LOCK + ":permits:ends";
  private static final Duration HOUR = Duration.ofHours(1);

  /** For how many ms a place is kept for a waiter that does not say when it asks again. */
  private static final long GOOD_FOR = 122_000;

  private static Object ends(KindScene k) {
    return k.s.server.call("ZRANGE", ENDS, "0", "-1");
  }

  private static void isEnd(KindScene k, String waiter, long millis) {
    is(k.s.server.call("ZSCORE", ENDS, waiter), Long.toString(millis));
  }

  private static boolean isShut(KindScene k) {
    return k.s.server.call("EXISTS", LOCK + ":permits:door").equals(1L);
  }

  static void repeatedRequestKeepsTheDoor() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.seconds(2);
    k.waits(TWO, 2, 3);
    k.seconds(2);
    check(!k.takes(THREE, 1, 3), "what has to gather is taken");
  }

  static void wokenWaiterHoldsNoDoor() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    check(isShut(k), "the door is open: it is no test");
    k.gives(ONE, 2);
    check(!isShut(k), "it has its turn, and the door");
    check(line(k).equals(List.of()), "it has its turn, and is in line: " + line(k));
  }

  static void acquiringWaiterHoldsNoDoor() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.dies(ONE, 2);
    check(k.takes(TWO, 2, 3), "refused, and they are free");
    check(k.held() == 2, "it has permits of no client: " + k.held());
    check(!isShut(k), "it has them, and the door");
    check(line(k).equals(List.of()), "it has them, and is in line: " + line(k));
  }

  static void deadWaiterGetsNoReservation() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    check(k.gives(ONE, 1) == 1 && k.held() == 0, "kept for one that does not listen");
    check(k.takes(THREE, 1, 1), "kept for one that does not listen");
  }

  static void deadWaitersArePassedOver() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    k.gives(ONE, 1);
    check(line(k).equals(List.of()), "still in line: " + line(k));
    k.takes(ONE, 1, 1);
    k.waits(FOUR, 1, 1);
    k.s.listen("s0");
    check(k.gives(ONE, 1) == 3, "no waiter was woken");
  }

  static void laterWaiterDoesNotTakeTheDoor() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.waits(FOUR, 3, 3);
    check(
        k.s.server.call("GET", LOCK + ":permits:door").equals("2 s0:c:2"),
        "one behind it has the door");
  }

  static void placeExpiresWithoutAnotherRequest() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3, HOUR);
    long first = k.s.micros / 1000;
    k.waits(TWO, 2, 3);
    k.waits(THREE, 2, 3);
    isEnd(k, "2 s0:c:2", first + GOOD_FOR);
    isEnd(k, "2 s0:c:3", first + 1 + GOOD_FOR);
    k.s.micros = (first + GOOD_FOR) * 1000;
    k.waits(FOUR, 2, 3);
    is(line(k), List.of("2 s0:c:3", "2 s0:c:4"));
    k.waits(FOUR, 2, 3);
    is(line(k), List.of("2 s0:c:4"));
    is(ends(k), List.of("2 s0:c:4"));
  }

  static void severalPlacesExpireTogether() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3, HOUR);
    for (int i = 0; i < 5; i++) {
      k.waits(new LeaseKey("a", "d:" + i), 2, 3);
    }
    k.s.micros += GOOD_FOR * 1000;
    k.waits(TWO, 2, 3);
    is(line(k), List.of("2 s0:c:2"));
    is(ends(k), List.of("2 s0:c:2"));
  }

  static void aThousandPlacesExpireTogether() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3, HOUR);
    for (int i = 0; i < 1100; i++) {
      String dead = "2 s1:d:" + i;
      k.s.server.call("ZADD", PLACES, Integer.toString(i), dead);
      k.s.server.call("ZADD", ENDS, Integer.toString(i + 1), dead);
    }
    k.waits(TWO, 2, 3);
    is(k.s.server.call("ZCARD", PLACES), 101L);
    is(k.s.server.call("ZCARD", ENDS), 101L);
  }

  static void olderClientsPlaceGetsAnExpiry() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3, HOUR);
    k.s.server.call("ZADD", PLACES, "1", "2 s1:old");
    long now = k.s.micros / 1000;
    k.waits(TWO, 2, 3);
    isEnd(k, "2 s1:old", now + 150_000);
    k.seconds(60);
    k.waits(TWO, 2, 3);
    isEnd(k, "2 s1:old", now + 150_000);
  }

  static void expiriesLiveAsLongAsTheLongestPlace() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3, HOUR);
    k.s.server.call("ZADD", PLACES, "1", "2 s1:old");
    k.waits(TWO, 2, 3);
    is(k.s.server.call("PTTL", ENDS), 149_999L);
  }

  static void acquiringRemovesTheExpiry() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.dies(ONE, 2);
    check(k.asksAgain(TWO, 2, 3) > 0, "refused, and they are free");
    is(ends(k), List.of());
  }

  static void leavingRemovesTheExpiry() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.leaves(TWO, 2);
    is(line(k), List.of());
    is(ends(k), List.of());
  }
}
