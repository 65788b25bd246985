package dev.leasehold.redlock;

import static dev.leasehold.redlock.KindScene.FOUR;
import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.LOCK;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link KindStories}, for semaphores, exact to the millisecond. Static methods without
 * parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class PermitStories {
  private static final String HOLDERS = LOCK + ":permits";
  private static final String NUMBER = LOCK + ":permits:number";
  private static final long DAY = 86_400_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private PermitStories() {}

  static void acquisitionStoresThePermits() {
    KindScene k = new KindScene();
    is(k.asks(ONE, 2, 3, LEASE), 1L);
    is(k.left(":permits"), 10_000L);
    is(k.left(":permits:number"), 10_000 + DAY);
    long end = k.s.micros / 1000 + 10_000;
    is(k.s.server.call("ZSCORE", HOLDERS, "1:c:1"), Long.toString(end));
    is(k.s.server.call("ZRANGE", HOLDERS, "0", "-1"), List.of("1:c:1", "2:c:1"));
  }

  static void refusalReportsTheNextChange() {
    KindScene k = new KindScene();
    is(k.asks(ONE, 3, 2, LEASE), -1001L); // no one holds any
    k.takes(ONE, 1, 2, MINUTE);
    k.takes(TWO, 1, 2);
    is(k.asks(THREE, 1, 2, LEASE), -10_001L);
  }

  static void repeatedAcquisitionExtendsAllPermits() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 2);
    k.s.micros += 5_000_000;
    is(k.asks(ONE, 2, 2, LEASE), 1L);
    long end = k.s.micros / 1000 + 10_000;
    is(
        k.s.server.call("ZRANGE", HOLDERS, "0", "-1", "WITHSCORES"),
        List.of("1:c:1", Long.toString(end), "2:c:1", Long.toString(end)));
    is(k.left(":permits"), 10_000L);
  }

  static void invalidPermitCountIsRefused() {
    KindScene k = new KindScene();
    k.s.server.call("SET", NUMBER, "x");
    String words = refused(() -> k.asks(ONE, 1, 2, LEASE));
    check(words.startsWith("WRONGTYPE no number of permits is in"), words);
    words = refused(() -> k.resizes(2, 3));
    check(words.startsWith("WRONGTYPE no number of permits is in"), words);
    refused(k::held);
  }

  static void permitsAreReleasedWithoutThePermitCount() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 2);
    k.waits(TWO, 2, 2);
    k.s.server.call("DEL", NUMBER);
    is(k.gives(ONE, 1), 1L);
    is(k.held(), 0L);
  }

  static void partialReleaseKeepsTheRest() {
    KindScene k = new KindScene();
    k.takes(ONE, 4, 5);
    is(k.shrinks(TWO, 1), 0L);
    is(k.held(), 4L);
    is(k.shrinks(ONE, 2), 1L);
    is(k.s.server.call("ZRANGE", HOLDERS, "0", "-1"), List.of("1:c:1", "2:c:1"));
    is(k.shrinks(ONE, 2), 1L);
    is(k.held(), 2L);
  }

  static void partialReleaseWakesAFittingWaiter() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 3, 3);
    k.waits(TWO, 2, 3);
    is(k.shrinks(ONE, 2), 1L);
    is(k.shrinks(ONE, 1), 3L);
    is(k.held(), 3L);
    check(k.takes(TWO, 2, 3), "not kept for the woken one");
  }

  static void countReturnsFreePermits() {
    KindScene k = new KindScene();
    is(k.s.send(k.permits().count("a")), List.of(0L, 0L));
    k.takes(ONE, 2, 3);
    is(k.s.send(k.permits().count("a")), List.of(3L, 2L));
    k.s.micros += 9_999_000;
    is(k.held(), 2L);
    k.s.micros += 1_000;
    is(k.held(), 0L);
  }

  static void changedPermitCountIsStored() {
    KindScene k = new KindScene();
    is(k.resizes(2, 3), 3L);
    is(k.left(":permits:number"), DAY);
    k.takes(ONE, 1, 3);
    is(k.resizes(3, 4), 4L);
    is(k.left(":permits:number"), 10_000 + DAY);
  }

  static void resizingNotifiesAThousandWaiters() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    List<String> told = new ArrayList<>();
    for (String store : List.of("x999", "x1000")) {
      k.s.server.subscribe("lh:wake:" + store, (channel, message) -> told.add(store));
    }
    for (int i = 0; i <= 1000; i++) {
      k.s.server.call("ZADD", HOLDERS + ":wait", Integer.toString(i), "1 x" + i + ":t");
    }
    k.resizes(1, 2);
    is(told, List.of("x999"));
  }

  static void onlyUnexpiredPermitsAreRenewed() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 2);
    k.s.micros += 10_000_000;
    k.renews(ONE, LEASE, 0);
    k.takes(ONE, 1, 2);
    k.renews(ONE, Duration.ofDays(2), 1);
    is(k.left(":permits"), 2 * DAY);
    is(k.left(":permits:number"), 2 * DAY + 90_000_000);
  }

  private static Object renews(KindScene k, LeaseKey... keys) {
    List<RenewRequest> batch =
        List.of(keys).stream().map(key -> new RenewRequest(key, MINUTE)).toList();
    return k.s.send(k.permits().renew(batch));
  }

  static void largeRenewalsAreDoneInParts() {
    KindScene k = new KindScene();
    k.takes(ONE, 999, 2000);
    k.takes(TWO, 1, 2000);
    k.takes(THREE, 1, 2000);
    is(renews(k, ONE, TWO, THREE), List.of(1L, 1L, 2L));
    check(
        k.s
            .server
            .call("ZSCORE", HOLDERS, "999:c:1")
            .equals(k.s.server.call("ZSCORE", HOLDERS, "1:c:2")),
        "not all of them");
  }

  static void invalidSemaphoreDoesNotStopOthers() {
    KindScene k = new KindScene();
    LeaseKey other = new LeaseKey("b", "c:1");
    k.s.send(
        k.permits(1, 1)
            .acquire(
                new AcquireRequest(other, LEASE, IfHeld.REFUSE),
                Publishing.toStore("b", Publishing.COUNTS_ALL)));
    k.s.server.call("RPUSH", HOLDERS, "no set");
    List<?> replies = (List<?>) renews(k, ONE, other);
    check(
        replies.get(0) instanceof String words && words.startsWith("WRONGTYPE"),
        "it is " + replies);
    is(replies.get(1), 1L);
  }

  static void releasedTokenIsRefusedLater() {
    KindScene k = new KindScene();
    PermitScripts late = k.permits(1, 1);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ALL);
    ScriptRequest release = late.releaseForGood(ONE, how);
    is(k.s.send(release), 0L);
    is(k.s.left(new String(release.keys()[release.keys().length - 1], US_ASCII)), 3_600_000L);
    AcquireRequest request = new AcquireRequest(ONE, LEASE, IfHeld.REFUSE);
    String words = refused(() -> k.s.send(late.acquire(request, how)));
    check(words.contains("released before"), words);
    AcquireRequest another = new AcquireRequest(TWO, LEASE, IfHeld.REFUSE);
    is(k.s.send(late.acquire(another, how)), 1L);
  }

  // ---- waiters ----

  private static Object line(KindScene k) {
    return k.s.server.call("ZRANGE", HOLDERS + ":wait", "0", "-1");
  }

  static void nonWaitingRequestIsNotQueued() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    k.takes(TWO, 1, 1);
    is(line(k), List.of());
    is(k.left(":permits:door"), -2L);
  }

  static void waiterIsQueuedByArrival() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    AcquireRequest request =
        new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE).repeated().withWaited(Duration.ofSeconds(3));
    k.s.send(k.permits(1, 1).acquire(request, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    is(
        k.s.server.call("ZSCORE", HOLDERS + ":wait", "1 s0:c:2"),
        Long.toString(k.s.micros - 3_000_000));
    is(k.left(":permits:wait"), 150_000L);
    is(k.left(":permits:door"), 2_500L);
  }

  static void waiterAcquiresFreePermits() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    k.dies(ONE, 1);
    check(k.takes(TWO, 1, 1), "it waits for itself");
    is(k.held(), 1L);
    is(line(k), List.of());
  }

  static void requestOnFreePermitsWakesTheFirstWaiter() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    k.seconds(11);
    check(!k.takes(THREE, 1, 1), "it passes the first");
    is(k.held(), 1L);
    is(k.left(":permits"), 500L);
    check(k.takes(TWO, 1, 1), "not kept for the first");
    is(k.held(), 1L);
    is(k.left(":permits"), 10_000L);
  }

  static void waiterThatDoesNotFitIsPassedWithoutADoor() {
    KindScene k = new KindScene();
    k.s.listen("s0");
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.waits(THREE, 1, 3);
    k.waits(FOUR, 1, 3);
    k.seconds(3); // the door is free
    is(k.leaves(new LeaseKey("a", "c:5"), 1), 1L);
    is(line(k), List.of("2 s0:c:2", "1 s0:c:4"));
  }

  static void leavingOpensTheDoor() {
    KindScene k = new KindScene();
    k.takes(ONE, 2, 3);
    k.waits(TWO, 2, 3);
    k.waits(THREE, 2, 3);
    k.leaves(THREE, 2);
    is(line(k), List.of("2 s0:c:2"));
    is(k.s.get(HOLDERS + ":door"), "2 s0:c:2");
    k.leaves(TWO, 2);
    is(line(k), List.of());
    is(k.s.get(HOLDERS + ":door"), null);
  }

  private static KindScene withDeadWaiters(int count) {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    for (int i = 0; i < count; i++) {
      k.s.server.call("ZADD", HOLDERS + ":wait", Integer.toString(i), "1 dead:t" + i);
    }
    k.s.listen("s0");
    k.waits(THREE, 1, 1);
    return k;
  }

  static void onlyTheFirstHundredWaitersAreExamined() {
    is(withDeadWaiters(99).gives(ONE, 1), 3L);
    is(withDeadWaiters(100).gives(ONE, 1), 1L);
  }

  static void waitersAreWokenBlindlyWithoutACompleteCount() {
    KindScene k = new KindScene();
    k.takes(ONE, 1, 1);
    k.waits(TWO, 1, 1);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ONE_NODE);
    is(k.s.send(k.permits(1, 1).release(ONE, how)), 3L);
  }
}
