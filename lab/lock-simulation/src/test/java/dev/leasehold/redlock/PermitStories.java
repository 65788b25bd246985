package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link KindStories}, for semaphores, exact to the millisecond. Each method throws if the
 * behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class PermitStories extends KindScene {
  private static final String HOLDERS = LOCK + ":permits";
  private static final String NUMBER = LOCK + ":permits:number";
  private static final long DAY = 86_400_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  void acquisitionStoresThePermits() {
    is(asks(ONE, 2, 3, LEASE), 1L);
    is(leftOf(":permits"), 10_000L);
    is(leftOf(":permits:number"), 10_000 + DAY);
    long end = micros / 1000 + 10_000;
    is(server.call("ZSCORE", HOLDERS, "1:c:1"), Long.toString(end));
    is(server.call("ZRANGE", HOLDERS, "0", "-1"), List.of("1:c:1", "2:c:1"));
  }

  void refusalReportsTheNextChange() {
    is(asks(ONE, 3, 2, LEASE), -1001L); // no one holds any
    takes(ONE, 1, 2, MINUTE);
    takes(TWO, 1, 2);
    is(asks(THREE, 1, 2, LEASE), -10_001L);
  }

  void repeatedAcquisitionExtendsAllPermits() {
    takes(ONE, 2, 2);
    micros += 5_000_000;
    is(asks(ONE, 2, 2, LEASE), 1L);
    long end = micros / 1000 + 10_000;
    is(
        server.call("ZRANGE", HOLDERS, "0", "-1", "WITHSCORES"),
        List.of("1:c:1", Long.toString(end), "2:c:1", Long.toString(end)));
    is(leftOf(":permits"), 10_000L);
  }

  void invalidPermitCountIsRefused() {
    server.call("SET", NUMBER, "x");
    String words = refused(() -> asks(ONE, 1, 2, LEASE));
    check(words.startsWith("WRONGTYPE no number of permits is in"), words);
    words = refused(() -> resizes(2, 3));
    check(words.startsWith("WRONGTYPE no number of permits is in"), words);
    refused(this::held);
  }

  void permitsAreReleasedWithoutThePermitCount() {
    takes(ONE, 1, 2);
    waits(TWO, 2, 2);
    server.call("DEL", NUMBER);
    is(gives(ONE, 1), 1L);
    is(held(), 0L);
  }

  void partialReleaseKeepsTheRest() {
    takes(ONE, 4, 5);
    is(shrinks(TWO, 1), 0L);
    is(held(), 4L);
    is(shrinks(ONE, 2), 1L);
    is(server.call("ZRANGE", HOLDERS, "0", "-1"), List.of("1:c:1", "2:c:1"));
    is(shrinks(ONE, 2), 1L);
    is(held(), 2L);
  }

  void partialReleaseWakesAFittingWaiter() {
    listen("s0");
    takes(ONE, 3, 3);
    waits(TWO, 2, 3);
    is(shrinks(ONE, 2), 1L);
    is(shrinks(ONE, 1), 3L);
    is(held(), 3L);
    check(takes(TWO, 2, 3), "not kept for the woken one");
  }

  void countReturnsFreePermits() {
    is(send(permits().count("a")), List.of(0L, 0L));
    takes(ONE, 2, 3);
    is(send(permits().count("a")), List.of(3L, 2L));
    micros += 9_999_000;
    is(held(), 2L);
    micros += 1_000;
    is(held(), 0L);
  }

  void changedPermitCountIsStored() {
    is(resizes(2, 3), 3L);
    is(leftOf(":permits:number"), DAY);
    takes(ONE, 1, 3);
    is(resizes(3, 4), 4L);
    is(leftOf(":permits:number"), 10_000 + DAY);
  }

  void resizingNotifiesAThousandWaiters() {
    takes(ONE, 1, 1);
    List<String> told = new ArrayList<>();
    for (String store : List.of("x999", "x1000")) {
      server.subscribe("lh:wake:" + store, (channel, message) -> told.add(store));
    }
    for (int i = 0; i <= 1000; i++) {
      server.call("ZADD", HOLDERS + ":wait", Integer.toString(i), "1 x" + i + ":t");
    }
    resizes(1, 2);
    is(told, List.of("x999"));
  }

  void onlyUnexpiredPermitsAreRenewed() {
    takes(ONE, 1, 2);
    micros += 10_000_000;
    renews(ONE, LEASE, 0);
    takes(ONE, 1, 2);
    renews(ONE, Duration.ofDays(2), 1);
    is(leftOf(":permits"), 2 * DAY);
    is(leftOf(":permits:number"), 2 * DAY + 90_000_000);
  }

  private Object renews(LeaseKey... keys) {
    List<RenewRequest> batch =
        List.of(keys).stream().map(key -> new RenewRequest(key, MINUTE)).toList();
    return send(permits().renew(batch));
  }

  void largeRenewalsAreDoneInParts() {
    takes(ONE, 999, 2000);
    takes(TWO, 1, 2000);
    takes(THREE, 1, 2000);
    is(renews(ONE, TWO, THREE), List.of(1L, 1L, 2L));
    check(
        this.server
            .call("ZSCORE", HOLDERS, "999:c:1")
            .equals(server.call("ZSCORE", HOLDERS, "1:c:2")),
        "not all of them");
  }

  void invalidSemaphoreDoesNotStopOthers() {
    LeaseKey other = new LeaseKey("b", "c:1");
    send(
        permits(1, 1)
            .acquire(
                new AcquireRequest(other, LEASE, IfHeld.REFUSE),
                Publishing.toStore("b", Publishing.COUNTS_ALL)));
    server.call("RPUSH", HOLDERS, "no set");
    List<?> replies = (List<?>) renews(ONE, other);
    check(
        replies.get(0) instanceof String words && words.startsWith("WRONGTYPE"),
        "it is " + replies);
    is(replies.get(1), 1L);
  }

  void releasedTokenIsRefusedLater() {
    PermitScripts late = permits(1, 1);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ALL);
    ScriptRequest mark = FencedScripts.gone(ONE, KeySpace.WHOLE);
    send(mark);
    is(left(new String(mark.keys()[0], US_ASCII)), 3_600_000L);
    is(send(late.release(ONE, how)), 0L);
    AcquireRequest request = new AcquireRequest(ONE, LEASE, IfHeld.REFUSE);
    String words = refused(() -> send(late.acquire(request, how)));
    check(words.contains("released before"), words);
    AcquireRequest another = new AcquireRequest(TWO, LEASE, IfHeld.REFUSE);
    is(send(late.acquire(another, how)), 1L);
  }

  // ---- waiters ----

  private Object line() {
    return server.call("ZRANGE", HOLDERS + ":wait", "0", "-1");
  }

  void nonWaitingRequestIsNotQueued() {
    takes(ONE, 1, 1);
    takes(TWO, 1, 1);
    is(line(), List.of());
    is(leftOf(":permits:door"), -2L);
  }

  void waiterIsQueuedByArrival() {
    takes(ONE, 1, 1);
    AcquireRequest request =
        new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE).repeated().withWaited(Duration.ofSeconds(3));
    send(permits(1, 1).acquire(request, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    is(server.call("ZSCORE", HOLDERS + ":wait", "1 s0:c:2"), Long.toString(micros - 3_000_000));
    is(leftOf(":permits:wait"), 150_000L);
    is(leftOf(":permits:door"), 2_500L);
  }

  void waiterAcquiresFreePermits() {
    listen("s0");
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    dies(ONE, 1);
    check(takes(TWO, 1, 1), "it waits for itself");
    is(held(), 1L);
    is(line(), List.of());
  }

  void requestOnFreePermitsWakesTheFirstWaiter() {
    listen("s0");
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    seconds(11);
    check(!takes(THREE, 1, 1), "it passes the first");
    is(held(), 1L);
    is(leftOf(":permits"), 500L);
    check(takes(TWO, 1, 1), "not kept for the first");
    is(held(), 1L);
    is(leftOf(":permits"), 10_000L);
  }

  void waiterThatDoesNotFitIsPassedWithoutADoor() {
    listen("s0");
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    waits(THREE, 1, 3);
    waits(FOUR, 1, 3);
    seconds(3); // the door is free
    is(leaves(new LeaseKey("a", "c:5"), 1), 1L);
    is(line(), List.of("2 s0:c:2", "1 s0:c:4"));
  }

  void leavingOpensTheDoor() {
    takes(ONE, 2, 3);
    waits(TWO, 2, 3);
    waits(THREE, 2, 3);
    leaves(THREE, 2);
    is(line(), List.of("2 s0:c:2"));
    is(get(HOLDERS + ":door"), "2 s0:c:2");
    leaves(TWO, 2);
    is(line(), List.of());
    is(get(HOLDERS + ":door"), null);
  }

  private PermitStories withDeadWaiters(int count) {
    takes(ONE, 1, 1);
    for (int i = 0; i < count; i++) {
      server.call("ZADD", HOLDERS + ":wait", Integer.toString(i), "1 dead:t" + i);
    }
    listen("s0");
    waits(THREE, 1, 1);
    return this;
  }

  void onlyTheFirstHundredWaitersAreExamined() {
    is(new PermitStories().withDeadWaiters(99).gives(ONE, 1), 3L);
    is(new PermitStories().withDeadWaiters(100).gives(ONE, 1), 1L);
  }

  void waitersAreWokenBlindlyWithoutACompleteCount() {
    takes(ONE, 1, 1);
    waits(TWO, 1, 1);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ONE_NODE);
    is(send(permits(1, 1).release(ONE, how)), 3L);
  }
}
