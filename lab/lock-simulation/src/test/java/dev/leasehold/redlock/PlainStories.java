package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * As {@link ScriptStories}, for replies, TTLs, minimum holds and plain mode. Each method throws if
 * the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class PlainStories extends ScriptScene {
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);
  private static final long HOUR = 3_600_000;

  private void withoutAnEnd() {
    server.call("SET", LOCK, "x:another");
  }

  void lockWithoutExpiryIsRetriedAfterASecond() {
    withoutAnEnd();
    is(acquire(ONE), -1001L);
  }

  void repeatedFirstRequestKeepsItsPlace() {
    acquire(ONE);
    ScriptRequest first = store.acquire(new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE));
    send(first);
    long place = micros;
    micros += SECOND;
    send(first);
    is(server.call("ZSCORE", LOCK + ":wait", "s0:c:2"), Long.toString(place));
  }

  void placeTooFarBackIsCorrected() {
    acquire(ONE);
    asksAgain(Duration.ofSeconds(1));
    asksAgain(Duration.ofSeconds(3));
    is(server.call("ZSCORE", LOCK + ":wait", "s0:c:2"), Long.toString(micros - 3 * SECOND));
  }

  private void asksAgain(Duration waited) {
    number(
        store.acquire(
            new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE).repeated().withWaited(waited)));
  }

  void releasedTokenIsRefusedLater() {
    acquire(TWO); // creates its fence, without a mark
    release(TWO);
    ScriptRequest mark = FencedScripts.gone(ONE, KeySpace.WHOLE);
    send(mark);
    is(left(new String(mark.keys()[0], US_ASCII)), HOUR);
    send(other.release(ONE, HOW));
    String words =
        refused(() -> send(other.acquire(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE))));
    check(words.contains("released before"), words);
    check(!isThere(LOCK), "refused, and held");
  }

  void withdrawingWakesNoWaiter() {
    listen("s0");
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(send(store.withdraw(ONE)), 1L);
    check(!isThere(LOCK), "still held, or kept");
    is(send(store.withdraw(ONE)), 0L);
  }

  void leavingAHeldLockReportsIt() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(send(store.leave(TWO, HOW)), 0L);
  }

  void inspectionReturnsTheHolder() {
    listen("s0");
    is(send(store.inspect("a")), null);
    long fence = acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(send(store.inspect("a")), List.of("c:1", 10_000L, Long.toString(fence)));
    release(ONE);
    is(send(store.inspect("a")), null); // reserved for a woken waiter
  }

  // ---- minimum holds ----

  private Object keeps(LeaseKey key, long millis) {
    return send(FencedScripts.keep(LOCK.getBytes(US_ASCII), key, Duration.ofMillis(millis)));
  }

  void tombstoneHasNoHolder() {
    acquire(ONE);
    is(keeps(TWO, 4000), 0L);
    is(keeps(ONE, 4000), 1L);
    is(get(LOCK), "-c:1");
    is(left(), 4000L);
    is(acquire(TWO), -4001L);
  }

  void repeatedKeepDoesNotExtendTheTombstone() {
    acquire(ONE);
    keeps(ONE, 20_000);
    is(left(), 10_000L);
    is(keeps(ONE, 50_000), 1L);
    is(left(), 10_000L);
  }

  void overdueTombstoneLastsAMillisecond() {
    acquire(ONE);
    micros += 10 * SECOND;
    is(left(), 0L);
    is(keeps(ONE, 4000), 1L);
    is(left(), 1L);
  }

  void lockWithoutExpiryIsKeptForTheRest() {
    server.call("SET", LOCK, ONE.token());
    is(keeps(ONE, 4000), 1L);
    is(left(), 4000L);
  }

  // ---- plain mode ----

  private Object asks(Script script, String... arguments) {
    byte[][] words =
        Arrays.stream(arguments).map(word -> word.getBytes(US_ASCII)).toArray(byte[][]::new);
    return send(new ScriptRequest(script, new byte[][] {LOCK.getBytes(US_ASCII)}, words));
  }

  private Object takes(String token, long ttl) {
    return asks(Script.PLAIN_ACQUIRE, token, Long.toString(ttl));
  }

  void plainLockIsExclusive() {
    is(takes("x", 10_000), 1L);
    is(left(), 10_000L);
    is(takes("y", 20_000), -10_001L);
    is(get(LOCK), "x");
    withoutAnEnd();
    is(takes("y", 20_000), -1001L);
  }

  void plainRenewalExtendsButDoesNotShorten() {
    takes("x", 10_000);
    is(takes("x", 5_000), 1L);
    is(left(), 10_000L);
    is(takes("x", 20_000), 1L);
    is(left(), 20_000L);
  }

  void plainReleaseRequiresTheToken() {
    takes("x", 10_000);
    is(asks(Script.PLAIN_RELEASE, "y"), 0L);
    is(asks(Script.PLAIN_RELEASE, "x"), 1L);
    check(!isThere(LOCK), "still held");
    is(asks(Script.PLAIN_RELEASE, "x"), 0L);
  }

  void plainInspectionReturnsTheHolder() {
    is(asks(Script.PLAIN_INSPECT), null);
    takes("x", 10_000);
    is(asks(Script.PLAIN_INSPECT), List.of("x", 10_000L));
  }

  void plainNodeRecordsItsVote() {
    send(voter(LEASE).enter("run1"));
    micros += 70 * SECOND;
    ScriptRequest asks =
        new ScriptRequest(
            Script.PLAIN_ACQUIRE,
            new byte[][] {LOCK.getBytes(US_ASCII)},
            new byte[][] {"x".getBytes(US_ASCII), "10000".getBytes(US_ASCII)});
    Duration minute = Duration.ofMinutes(1);
    is(send(voter(minute).guard(asks, Script.GUARDED_PLAIN_ACQUIRE, "run1")), 1L);
    // The record of a vote by itself, not of a registered client.
    long left = (Long) ((List<?>) send(voter(LEASE).enter("run2"))).get(0);
    check(left >= 60_000, "the vote's lease was forgotten: " + left);
  }

  // ---- how many entries a script inspects ----

  private PlainStories withDeadWaiters(int count) {
    acquire(ONE);
    for (int i = 0; i < count; i++) {
      server.call("ZADD", LOCK + ":wait", Integer.toString(i), "dead:t" + i);
    }
    listen("s0");
    waits(THREE);
    return this;
  }

  void onlyTheFirstHundredWaitersAreExamined() {
    is(new PlainStories().withDeadWaiters(99).release(ONE), 3L);
    is(new PlainStories().withDeadWaiters(100).release(ONE), 1L);
  }

  void waitersAreWokenBlindlyWithoutACompleteCount() {
    acquire(ONE);
    acquire(TWO, LEASE, IfHeld.ENQUEUE);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ONE_NODE);
    is(send(store.release(ONE, how)), 3L);
  }
}
