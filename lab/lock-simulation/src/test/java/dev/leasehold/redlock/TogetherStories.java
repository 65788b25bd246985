package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.THREE;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static dev.leasehold.redlock.ScriptScene.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The required behaviour of the scripts for several locks at once, on a server with a manual clock.
 * Static methods without parameters; each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class TogetherStories {
  private static final LeaseKey B = new LeaseKey("b", "c:1");
  private static final LeaseKey C = new LeaseKey("c", "c:1");
  private static final LeaseKey ANOTHERS_B = new LeaseKey("b", "c:2");

  private TogetherStories() {}

  /** The fence of all, or a list of the names held. */
  private static Object takes(
      ScriptScene s, Duration lease, List<LeaseKey> beside, LeaseKey... keys) {
    List<AcquireRequest> requests =
        Arrays.stream(keys).map(key -> new AcquireRequest(key, lease, IfHeld.REFUSE)).toList();
    return s.send(new TogetherScripts(KeySpace.WHOLE).acquire(requests, beside));
  }

  private static Object takes(ScriptScene s, LeaseKey... keys) {
    return takes(s, LEASE, List.of(), keys);
  }

  static void oneHeldLockRefusesAll() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    check(takes(s, ONE, B).equals(List.of(0L, -10_001L)), "another has one of them");
  }

  static void refusedRequestLeavesNothing() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    takes(s, ONE, B);
    check(s.acquire(TWO) > 0, "one that was free is taken");
  }

  static void tokenExceedsAllEarlierOnes() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    long last = s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    check((Long) takes(s, ONE, B) > last, "no larger than the second one's before");
  }

  static void tokenIsBelowAllLaterOnes() {
    ScriptScene s = new ScriptScene();
    long token = (Long) takes(s, ONE, B);
    s.release(ONE);
    s.release(B);
    check(s.acquire(TWO) > token, "the first one's next is no larger");
    check(s.acquire(ANOTHERS_B) > token, "the second one's next is no larger");
  }

  static void tokenCoversLeasesBesideIt() {
    ScriptScene s = new ScriptScene();
    s.acquire(B);
    long token = (Long) takes(s, LEASE, List.of(B), ONE, C);
    s.release(B);
    check(s.acquire(ANOTHERS_B) > token, "the next one's beside is no larger");
  }

  static void leasesBesideItMustBeHeld() {
    ScriptScene s = new ScriptScene();
    check(takes(s, LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is over");
    s.acquire(ANOTHERS_B);
    check(takes(s, LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is another's");
    check(s.acquire(TWO) > 0, "one that was free is taken");
  }

  static void repeatedAcquisitionHoldsAll() {
    ScriptScene s = new ScriptScene();
    Object token = takes(s, ONE, B);
    check(takes(s, ONE, B).equals(token), "another token");
  }

  static void repeatedAcquisitionDoesNotShortenTheLeases() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    takes(s, Duration.ofSeconds(1), List.of(), ONE, B);
    check(s.left() == LEASE.toMillis(), "it ends in " + s.left());
  }

  static void repeatedAcquisitionExtendsTheLeases() {
    ScriptScene s = new ScriptScene();
    takes(s, Duration.ofSeconds(1), List.of(), ONE, B);
    takes(s, ONE, B);
    check(s.left() == LEASE.toMillis(), "it ends in " + s.left());
    Object left = s.server.call("PTTL", "lh:{b}");
    check(left.equals(LEASE.toMillis()), "the second one ends in " + left);
  }

  static void releasedTokenIsRefusedLater() {
    ScriptScene s = new ScriptScene();
    takes(s, TWO, ANOTHERS_B); // creates their fences, without a mark
    s.release(TWO);
    s.release(ANOTHERS_B);
    s.send(s.other.releaseForGood(B, Publishing.toStore("b", Publishing.COUNTS_ALL)));
    List<AcquireRequest> requests =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(B, LEASE, IfHeld.REFUSE));
    TogetherScripts late = TogetherScripts.bySeveralConnections(KeySpace.WHOLE);
    try {
      Object reply = s.send(late.acquire(requests, List.of()));
      check(false, "taken: " + reply);
    } catch (ReplyError expected) {
      check(s.acquire(TWO) > 0, "one that was free is taken");
    }
  }

  static void eachLeaseExpires() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    s.micros += 11 * ScriptScene.SECOND;
    check(s.acquire(ANOTHERS_B) > 0, "it has no end");
  }

  static void tokenExceedsTheFencesOnAllNodes() {
    ScriptScene s = new ScriptScene();
    long first = (Long) takes(s, ONE, B);
    is(first, s.micros);
    for (String key : List.of("lh:{a}:fence", "lh:{b}:fence")) {
      is(s.get(key), Long.toString(first));
      is(s.left(key), 90_000_000L);
    }
    gives(s, ONE, B);
    check((Long) takes(s, ONE, B) > first, "no larger than the one before");
  }

  static void refusalNamesTheHeldLocks() {
    ScriptScene s = new ScriptScene();
    is(takes(s, LEASE, List.of(B), ONE, C), List.of(0L, 0L, -1L));
    s.server.call("SET", "lh:{b}", "x:another");
    is(takes(s, ONE, B), List.of(0L, -1001L));
  }

  static void invalidFenceIsRefusedAndAcquiresNothing() {
    for (String strange : List.of("x", "9007199254740990")) {
      ScriptScene s = new ScriptScene();
      s.server.call("SET", "lh:{b}:fence", strange);
      String words = refused(() -> takes(s, ONE, B));
      check(words.contains("lh:{b}:fence is no fence"), words);
      check(!s.isThere("lh:{a}") && !s.isThere("lh:{b}"), "refused, and held");
    }
    ScriptScene s = new ScriptScene();
    s.micros = 9_007_199_254_740_990L;
    String words = refused(() -> takes(s, ONE, B));
    check(words.contains("beyond 2255"), words);
    s.micros--;
    is(takes(s, ONE, B), s.micros);
  }

  static void severalConnectionsAcquireThemToo() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B); // creates its fence
    TogetherScripts late = TogetherScripts.bySeveralConnections(KeySpace.WHOLE);
    List<AcquireRequest> requests =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(B, LEASE, IfHeld.REFUSE));
    check(s.send(late.acquire(requests, List.of())) instanceof Long, "refused, and free");
    for (String key : List.of("lh:{a}", "lh:{b}")) {
      is(s.get(key), "c:1");
      is(s.left(key), 10_000L);
    }
  }

  // ---- released ----

  static void missingLocksAreNotReleased() {
    is(gives(new ScriptScene(), ONE, B), List.of(0L, 0L));
  }

  private static Publishing how(String name) {
    return Publishing.toStore(name, Publishing.COUNTS_ALL);
  }

  /** The result for each key. */
  private static List<Object> gives(ScriptScene s, LeaseKey... keys) {
    return List.copyOf(
        (List<?>)
            s.send(
                new TogetherScripts(KeySpace.WHOLE).release(List.of(keys), TogetherStories::how)));
  }

  private static void waits(ScriptScene s, LeaseKey key) {
    check(s.acquire(key, LEASE, IfHeld.ENQUEUE) < 0, "it has it at once");
  }

  static void allAreReleased() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B, C);
    check(gives(s, ONE, B, C).equals(List.of(1L, 1L, 1L)), "one was not given back");
    check(s.acquire(TWO) > 0, "the first one is held");
    check(s.acquire(ANOTHERS_B) > 0, "the second one is held");
    check(gives(s, ONE, B, C).equals(List.of(0L, 0L, 0L)), "one is given back again");
    check(s.acquire(THREE) < 0, "what is another's was given back");
  }

  static void onlyItsOwnAreReleased() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    s.acquire(ONE);
    check(gives(s, ONE, B).equals(List.of(1L, 0L)), "another's is given back");
    check(s.acquire(B) < 0, "another's is free");
    check(s.acquire(TWO) > 0, "its own is held");
  }

  static void invalidLockDoesNotStopOthers() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    s.server.call("DEL", ScriptScene.LOCK);
    s.server.call("RPUSH", ScriptScene.LOCK, "no lock");
    try {
      check(false, "it was given back: " + gives(s, ONE, B));
    } catch (ReplyError expected) {
      check(s.acquire(ANOTHERS_B) > 0, "the other one is held");
    }
  }

  static void firstWaiterOfEachIsWoken() {
    ScriptScene s = new ScriptScene();
    List<String> heard = new ArrayList<>();
    s.server.subscribe(
        new String(Publishing.channelOf("s0"), US_ASCII), (channel, name) -> heard.add(name));
    takes(s, ONE, B, C);
    waits(s, ANOTHERS_B);
    waits(s, THREE);
    s.micros += 1000;
    waits(s, TWO);
    check(gives(s, ONE, B, C).equals(List.of(3L, 3L, 1L)), "not all was passed on");
    check(heard.equals(List.of("a", "b")), "notified of " + heard);
    check(s.server.call("ZCARD", ScriptScene.LOCK + ":wait").equals(1L), "a second one was woken");
    check(s.acquire(TWO) < 0, "what was passed on is free");
    check(s.acquire(THREE) > 0, "the first one's waiter does not have it");
    check(s.acquire(B) < 0, "what was passed on is free");
    check(s.acquire(ANOTHERS_B) > 0, "the second one's waiter does not have it");
  }

  static void deafWaiterIsPassedOver() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    waits(s, TWO);
    check(gives(s, ONE, B).equals(List.of(1L, 1L)), "passed on");
    check(s.acquire(THREE) > 0, "kept for one that does not listen");
  }

  static void reservationForOneIsReleased() {
    ScriptScene s = new ScriptScene();
    s.listen("s0");
    takes(s, ONE, B);
    waits(s, TWO);
    gives(s, ONE, B);
    check(gives(s, TWO, C).equals(List.of(1L, 0L)), "what was kept for it stays");
    check(s.acquire(THREE) > 0, "what was kept for it is held");
  }

  static void lastReleaseRefusesLateRequests() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    TogetherScripts late = TogetherScripts.bySeveralConnections(KeySpace.WHOLE);
    ScriptRequest release = late.release(List.of(ONE, B), List.of(B), TogetherStories::how);
    s.send(release);
    is(s.left(new String(release.keys()[4], US_ASCII)), 3_600_000L);
    try {
      Object reply =
          s.send(late.acquire(List.of(new AcquireRequest(B, LEASE, IfHeld.REFUSE)), List.of()));
      check(false, "taken: " + reply);
    } catch (ReplyError expected) {
      AcquireRequest another = new AcquireRequest(ONE, LEASE, IfHeld.REFUSE);
      check(s.send(late.acquire(List.of(another), List.of())) instanceof Long, "so is another");
    }
  }
}
