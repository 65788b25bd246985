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
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * As {@link ScriptStories}, for replies, TTLs, minimum holds and plain mode. Static methods without
 * parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class PlainStories {
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);
  private static final long HOUR = 3_600_000;

  private PlainStories() {}

  private static void withoutAnEnd(ScriptScene s) {
    s.server.call("SET", LOCK, "x:another");
  }

  static void lockWithoutExpiryIsRetriedAfterASecond() {
    ScriptScene s = new ScriptScene();
    withoutAnEnd(s);
    is(s.acquire(ONE), -1001L);
  }

  static void repeatedFirstRequestKeepsItsPlace() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    ScriptRequest first = s.store.acquire(new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE));
    s.send(first);
    long place = s.micros;
    s.micros += SECOND;
    s.send(first);
    is(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:2"), Long.toString(place));
  }

  static void placeTooFarBackIsCorrected() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    asksAgain(s, Duration.ofSeconds(1));
    asksAgain(s, Duration.ofSeconds(3));
    is(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:2"), Long.toString(s.micros - 3 * SECOND));
  }

  private static void asksAgain(ScriptScene s, Duration waited) {
    s.number(
        s.store.acquire(
            new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE).repeated().withWaited(waited)));
  }

  static void releasedTokenIsRefusedLater() {
    ScriptScene s = new ScriptScene();
    s.acquire(TWO); // creates its fence, without a mark
    s.release(TWO);
    ScriptRequest release = s.other.releaseForGood(ONE, HOW);
    s.send(release);
    is(s.left(new String(release.keys()[2], US_ASCII)), HOUR);
    String words =
        refused(() -> s.send(s.other.acquire(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE))));
    check(words.contains("released before"), words);
    check(!s.isThere(LOCK), "refused, and held");
  }

  static void withdrawingWakesNoWaiter() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(s.send(s.store.withdraw(ONE)), 1L);
    check(!s.isThere(LOCK), "still held, or kept");
    is(s.send(s.store.withdraw(ONE)), 0L);
  }

  static void leavingAHeldLockReportsIt() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(s.send(s.store.leave(TWO, HOW)), 0L);
  }

  static void inspectionReturnsTheHolder() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    is(s.send(s.store.inspect("a")), null);
    long fence = s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    is(s.send(s.store.inspect("a")), List.of("c:1", 10_000L, Long.toString(fence)));
    s.release(ONE);
    is(s.send(s.store.inspect("a")), null); // reserved for a woken waiter
  }

  // ---- minimum holds ----

  private static Object keeps(ScriptScene s, LeaseKey key, long millis) {
    return s.send(FencedScripts.keep(LOCK.getBytes(US_ASCII), key, Duration.ofMillis(millis)));
  }

  static void tombstoneHasNoHolder() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    is(keeps(s, TWO, 4000), 0L);
    is(keeps(s, ONE, 4000), 1L);
    is(s.get(LOCK), "-c:1");
    is(s.left(), 4000L);
    is(s.acquire(TWO), -4001L);
  }

  static void repeatedKeepDoesNotExtendTheTombstone() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    keeps(s, ONE, 20_000);
    is(s.left(), 10_000L);
    is(keeps(s, ONE, 50_000), 1L);
    is(s.left(), 10_000L);
  }

  static void overdueTombstoneLastsAMillisecond() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.micros += 10 * SECOND;
    is(s.left(), 0L);
    is(keeps(s, ONE, 4000), 1L);
    is(s.left(), 1L);
  }

  static void lockWithoutExpiryIsKeptForTheRest() {
    ScriptScene s = new ScriptScene();
    s.server.call("SET", LOCK, ONE.token());
    is(keeps(s, ONE, 4000), 1L);
    is(s.left(), 4000L);
  }

  // ---- plain mode ----

  private static Object asks(ScriptScene s, Script script, String... arguments) {
    byte[][] words =
        Arrays.stream(arguments).map(word -> word.getBytes(US_ASCII)).toArray(byte[][]::new);
    return s.send(new ScriptRequest(script, new byte[][] {LOCK.getBytes(US_ASCII)}, words));
  }

  private static Object takes(ScriptScene s, String token, long ttl) {
    return asks(s, Script.PLAIN_ACQUIRE, token, Long.toString(ttl));
  }

  static void plainLockIsExclusive() {
    ScriptScene s = new ScriptScene();
    is(takes(s, "x", 10_000), 1L);
    is(s.left(), 10_000L);
    is(takes(s, "y", 20_000), -10_001L);
    is(s.get(LOCK), "x");
    withoutAnEnd(s);
    is(takes(s, "y", 20_000), -1001L);
  }

  static void plainRenewalExtendsButDoesNotShorten() {
    ScriptScene s = new ScriptScene();
    takes(s, "x", 10_000);
    is(takes(s, "x", 5_000), 1L);
    is(s.left(), 10_000L);
    is(takes(s, "x", 20_000), 1L);
    is(s.left(), 20_000L);
  }

  static void plainReleaseRequiresTheToken() {
    ScriptScene s = new ScriptScene();
    takes(s, "x", 10_000);
    is(asks(s, Script.PLAIN_RELEASE, "y"), 0L);
    is(asks(s, Script.PLAIN_RELEASE, "x"), 1L);
    check(!s.isThere(LOCK), "still held");
    is(asks(s, Script.PLAIN_RELEASE, "x"), 0L);
  }

  static void plainInspectionReturnsTheHolder() {
    ScriptScene s = new ScriptScene();
    is(asks(s, Script.PLAIN_INSPECT), null);
    takes(s, "x", 10_000);
    is(asks(s, Script.PLAIN_INSPECT), List.of("x", 10_000L));
  }

  static void plainNodeRecordsItsVote() {
    ScriptScene s = new ScriptScene();
    s.send(GuardStories.voter(LEASE).enter("run1"));
    s.micros += 70 * SECOND;
    ScriptRequest asks =
        new ScriptRequest(
            Script.PLAIN_ACQUIRE,
            new byte[][] {LOCK.getBytes(US_ASCII)},
            new byte[][] {"x".getBytes(US_ASCII), "10000".getBytes(US_ASCII)});
    Duration minute = Duration.ofMinutes(1);
    is(s.send(GuardStories.voter(minute).guard(asks, Script.GUARDED_PLAIN_ACQUIRE, "run1")), 1L);
    // The record of a vote by itself, not of a registered client.
    long left = (Long) ((List<?>) s.send(GuardStories.voter(LEASE).enter("run2"))).get(0);
    check(left >= 60_000, "the vote's lease was forgotten: " + left);
  }

  // ---- how many entries a script inspects ----

  private static ScriptScene withDeadWaiters(int count) {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    for (int i = 0; i < count; i++) {
      s.server.call("ZADD", LOCK + ":wait", Integer.toString(i), "dead:t" + i);
    }
    s.listen("s0");
    s.waits(THREE);
    return s;
  }

  static void onlyTheFirstHundredWaitersAreExamined() {
    is(withDeadWaiters(99).release(ONE), 3L);
    is(withDeadWaiters(100).release(ONE), 1L);
  }

  static void waitersAreWokenBlindlyWithoutACompleteCount() {
    ScriptScene s = new ScriptScene();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    Publishing how = Publishing.toStore("a", Publishing.COUNTS_ONE_NODE);
    is(s.send(s.store.release(ONE, how)), 3L);
  }
}
