package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;

/**
 * As {@link KindStories}, for the line of waiters and its door. Each method throws if the behaviour
 * differs.
 */
@SuppressWarnings("unused") // called by reflection
final class LineStories extends KindScene {
  private Object line() {
    return server.call("ZRANGE", LOCK + ":permits:wait", "0", "-1");
  }

  private static final String PLACES = LOCK + ":permits:wait";
  private static final String ENDS = LOCK + ":permits:ends";
  private static final Duration HOUR = Duration.ofHours(1);

  /** For how many ms a place is kept for a waiter that does not say when it asks again. */
  private static final long GOOD_FOR = 122_000;

  private Object ends() {
    return server.call("ZRANGE", ENDS, "0", "-1");
  }

  private void isEnd(String waiter, long millis) {
    is(server.call("ZSCORE", ENDS, waiter), Long.toString(millis));
  }

  private boolean isShut() {
    return server.call("EXISTS", LOCK + ":permits:door").equals(1L);
  }

  void repeatedRequestKeepsTheDoor() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    seconds(2);
    waits(TWO, 2, 3);
    seconds(2);
    check(!takes(THREE, 1, 3), "what has to gather is taken");
  }

  void wokenWaiterHoldsNoDoor() {
    listen("s0");
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    check(isShut(), "the door is open: it is no test");
    gives(ONE, 2);
    check(!isShut(), "it has its turn, and the door");
    check(line().equals(List.of()), "it has its turn, and is in line: " + line());
  }

  void acquiringWaiterHoldsNoDoor() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    dies(ONE, 2);
    check(takes(TWO, 2, 3), "refused, and they are free");
    check(held() == 2, "it has permits of no client: " + held());
    check(!isShut(), "it has them, and the door");
    check(line().equals(List.of()), "it has them, and is in line: " + line());
  }

  void deadWaiterGetsNoReservation() {
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    check(gives(ONE, 1) == 1 && held() == 0, "kept for one that does not listen");
    check(takes(THREE, 1, 1), "kept for one that does not listen");
  }

  void deadWaitersArePassedOver() {
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    gives(ONE, 1);
    check(line().equals(List.of()), "still in line: " + line());
    takes(ONE, 1, 1);
    waits(FOUR, 1, 1);
    listen("s0");
    check(gives(ONE, 1) == 3, "no waiter was woken");
  }

  void laterWaiterDoesNotTakeTheDoor() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    waits(FOUR, 3, 3);
    check(
        server.call("GET", LOCK + ":permits:door").equals("2 s0:c:2"),
        "one behind it has the door");
  }

  void placeExpiresWithoutAnotherRequest() {
    takes(ONE, 2, 3, HOUR);
    long first = micros / 1000;
    waits(TWO, 2, 3);
    waits(THREE, 2, 3);
    isEnd("2 s0:c:2", first + GOOD_FOR);
    isEnd("2 s0:c:3", first + 1 + GOOD_FOR);
    micros = (first + GOOD_FOR) * 1000;
    waits(FOUR, 2, 3);
    is(line(), List.of("2 s0:c:3", "2 s0:c:4"));
    waits(FOUR, 2, 3);
    is(line(), List.of("2 s0:c:4"));
    is(ends(), List.of("2 s0:c:4"));
  }

  void severalPlacesExpireTogether() {
    takes(ONE, 2, 3, HOUR);
    for (int i = 0; i < 5; i++) {
      waits(new LeaseKey("a", "d:" + i), 2, 3);
    }
    micros += GOOD_FOR * 1000;
    waits(TWO, 2, 3);
    is(line(), List.of("2 s0:c:2"));
    is(ends(), List.of("2 s0:c:2"));
  }

  void aThousandPlacesExpireTogether() {
    takes(ONE, 2, 3, HOUR);
    for (int i = 0; i < 1100; i++) {
      String dead = "2 s1:d:" + i;
      server.call("ZADD", PLACES, Integer.toString(i), dead);
      server.call("ZADD", ENDS, Integer.toString(i + 1), dead);
    }
    waits(TWO, 2, 3);
    is(server.call("ZCARD", PLACES), 101L);
    is(server.call("ZCARD", ENDS), 101L);
  }

  void olderClientsPlaceGetsAnExpiry() {
    takes(ONE, 2, 3, HOUR);
    server.call("ZADD", PLACES, "1", "2 s1:old");
    long now = micros / 1000;
    waits(TWO, 2, 3);
    isEnd("2 s1:old", now + 150_000);
    seconds(60);
    waits(TWO, 2, 3);
    isEnd("2 s1:old", now + 150_000);
  }

  void expiriesLiveAsLongAsTheLongestPlace() {
    takes(ONE, 2, 3, HOUR);
    server.call("ZADD", PLACES, "1", "2 s1:old");
    waits(TWO, 2, 3);
    is(server.call("PTTL", ENDS), 149_999L);
  }

  void acquiringRemovesTheExpiry() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    dies(ONE, 2);
    check(asksAgain(TWO, 2, 3) > 0, "refused, and they are free");
    is(ends(), List.of());
  }

  void leavingRemovesTheExpiry() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    leaves(TWO, 2);
    is(line(), List.of());
    is(ends(), List.of());
  }
}
