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
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The required behaviour of the scripts for several locks at once, on a server with a manual clock.
 * Each method throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class TogetherStories extends ScriptScene {
  private static final LeaseKey B = new LeaseKey("b", "c:1");
  private static final LeaseKey C = new LeaseKey("c", "c:1");
  private static final LeaseKey ANOTHERS_B = new LeaseKey("b", "c:2");

  /** The fence of all, or a list of the names held. */
  private Object takes(Duration lease, List<LeaseKey> beside, LeaseKey... keys) {
    List<AcquireRequest> requests =
        Arrays.stream(keys).map(key -> new AcquireRequest(key, lease, IfHeld.REFUSE)).toList();
    return send(new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE).acquire(requests, beside));
  }

  private Object takes(LeaseKey... keys) {
    return takes(LEASE, List.of(), keys);
  }

  void oneHeldLockRefusesAll() {
    acquire(ANOTHERS_B);
    check(takes(ONE, B).equals(List.of(0L, -10_001L)), "another has one of them");
  }

  void refusedRequestLeavesNothing() {
    acquire(ANOTHERS_B);
    takes(ONE, B);
    check(acquire(TWO) > 0, "one that was free is taken");
  }

  void tokenExceedsAllEarlierOnes() {
    acquire(ANOTHERS_B);
    release(ANOTHERS_B);
    acquire(ANOTHERS_B);
    release(ANOTHERS_B);
    long last = acquire(ANOTHERS_B);
    release(ANOTHERS_B);
    check((Long) takes(ONE, B) > last, "no larger than the second one's before");
  }

  void tokenIsBelowAllLaterOnes() {
    long token = (Long) takes(ONE, B);
    release(ONE);
    release(B);
    check(acquire(TWO) > token, "the first one's next is no larger");
    check(acquire(ANOTHERS_B) > token, "the second one's next is no larger");
  }

  void tokenCoversLeasesBesideIt() {
    acquire(B);
    long token = (Long) takes(LEASE, List.of(B), ONE, C);
    release(B);
    check(acquire(ANOTHERS_B) > token, "the next one's beside is no larger");
  }

  void leasesBesideItMustBeHeld() {
    check(takes(LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is over");
    acquire(ANOTHERS_B);
    check(takes(LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is another's");
    check(acquire(TWO) > 0, "one that was free is taken");
  }

  void repeatedAcquisitionHoldsAll() {
    Object token = takes(ONE, B);
    check(takes(ONE, B).equals(token), "another token");
  }

  void repeatedAcquisitionDoesNotShortenTheLeases() {
    takes(ONE, B);
    takes(Duration.ofSeconds(1), List.of(), ONE, B);
    check(left() == LEASE.toMillis(), "it ends in " + left());
  }

  void repeatedAcquisitionExtendsTheLeases() {
    takes(Duration.ofSeconds(1), List.of(), ONE, B);
    takes(ONE, B);
    check(left() == LEASE.toMillis(), "it ends in " + left());
    Object left = server.call("PTTL", "lh:{b}");
    check(left.equals(LEASE.toMillis()), "the second one ends in " + left);
  }

  void releasedTokenIsRefusedLater() {
    takes(TWO, ANOTHERS_B); // creates their fences, without a mark
    release(TWO);
    release(ANOTHERS_B);
    send(FencedScripts.gone(B, KeySpace.WHOLE));
    send(other.release(B, Publishing.toStore("b", Publishing.COUNTS_ALL)));
    List<AcquireRequest> requests =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(B, LEASE, IfHeld.REFUSE));
    TogetherScripts late = new TogetherScripts(Script.SETNX_TOGETHER, KeySpace.WHOLE);
    try {
      Object reply = send(late.acquire(requests, List.of()));
      check(false, "taken: " + reply);
    } catch (ReplyError expected) {
      check(acquire(TWO) > 0, "one that was free is taken");
    }
  }

  void eachLeaseExpires() {
    takes(ONE, B);
    micros += 11 * SECOND;
    check(acquire(ANOTHERS_B) > 0, "it has no end");
  }

  void tokenExceedsTheFencesOnAllNodes() {
    long first = (Long) takes(ONE, B);
    is(first, micros);
    for (String key : List.of("lh:{a}:fence", "lh:{b}:fence")) {
      is(get(key), Long.toString(first));
      is(left(key), 90_000_000L);
    }
    gives(ONE, B);
    check((Long) takes(ONE, B) > first, "no larger than the one before");
  }

  void refusalNamesTheHeldLocks() {
    is(takes(LEASE, List.of(B), ONE, C), List.of(0L, 0L, -1L));
    server.call("SET", "lh:{b}", "x:another");
    is(takes(ONE, B), List.of(0L, -1001L));
  }

  void invalidFenceIsRefusedAndAcquiresNothing() {
    for (String strange : List.of("x", "9007199254740990")) {
      TogetherStories s = new TogetherStories();
      s.server.call("SET", "lh:{b}:fence", strange);
      String words = refused(() -> s.takes(ONE, B));
      check(words.contains("lh:{b}:fence is no fence"), words);
      check(!s.isThere("lh:{a}") && !s.isThere("lh:{b}"), "refused, and held");
    }
    micros = 9_007_199_254_740_990L;
    String words = refused(() -> takes(ONE, B));
    check(words.contains("beyond 2255"), words);
    micros--;
    is(takes(ONE, B), micros);
  }

  void severalConnectionsAcquireThemToo() {
    acquire(ANOTHERS_B);
    release(ANOTHERS_B); // creates its fence
    TogetherScripts late = new TogetherScripts(Script.SETNX_TOGETHER, KeySpace.WHOLE);
    List<AcquireRequest> requests =
        List.of(
            new AcquireRequest(ONE, LEASE, IfHeld.REFUSE),
            new AcquireRequest(B, LEASE, IfHeld.REFUSE));
    check(send(late.acquire(requests, List.of())) instanceof Long, "refused, and free");
    for (String key : List.of("lh:{a}", "lh:{b}")) {
      is(get(key), "c:1");
      is(left(key), 10_000L);
    }
  }

  // ---- released ----

  void missingLocksAreNotReleased() {
    is(gives(ONE, B), List.of(0L, 0L));
  }

  private static Publishing how(String name) {
    return Publishing.toStore(name, Publishing.COUNTS_ALL);
  }

  /** The result for each key. */
  private List<Object> gives(LeaseKey... keys) {
    return List.copyOf(
        (List<?>)
            send(
                new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE)
                    .release(List.of(keys), TogetherStories::how)));
  }

  private void queues(LeaseKey key) {
    check(acquire(key, LEASE, IfHeld.ENQUEUE) < 0, "it has it at once");
  }

  void allAreReleased() {
    takes(ONE, B, C);
    check(gives(ONE, B, C).equals(List.of(1L, 1L, 1L)), "one was not given back");
    check(acquire(TWO) > 0, "the first one is held");
    check(acquire(ANOTHERS_B) > 0, "the second one is held");
    check(gives(ONE, B, C).equals(List.of(0L, 0L, 0L)), "one is given back again");
    check(acquire(THREE) < 0, "what is another's was given back");
  }

  void onlyItsOwnAreReleased() {
    acquire(ANOTHERS_B);
    acquire(ONE);
    check(gives(ONE, B).equals(List.of(1L, 0L)), "another's is given back");
    check(acquire(B) < 0, "another's is free");
    check(acquire(TWO) > 0, "its own is held");
  }

  void invalidLockDoesNotStopOthers() {
    takes(ONE, B);
    server.call("DEL", LOCK);
    server.call("RPUSH", LOCK, "no lock");
    try {
      check(false, "it was given back: " + gives(ONE, B));
    } catch (ReplyError expected) {
      check(acquire(ANOTHERS_B) > 0, "the other one is held");
    }
  }

  void firstWaiterOfEachIsWoken() {
    List<String> heard = new ArrayList<>();
    server.subscribe(
        new String(Publishing.channelOf("s0"), US_ASCII), (channel, name) -> heard.add(name));
    takes(ONE, B, C);
    queues(ANOTHERS_B);
    queues(THREE);
    micros += 1000;
    queues(TWO);
    check(gives(ONE, B, C).equals(List.of(3L, 3L, 1L)), "not all was passed on");
    check(heard.equals(List.of("a", "b")), "notified of " + heard);
    check(server.call("ZCARD", LOCK + ":wait").equals(1L), "a second one was woken");
    check(acquire(TWO) < 0, "what was passed on is free");
    check(acquire(THREE) > 0, "the first one's waiter does not have it");
    check(acquire(B) < 0, "what was passed on is free");
    check(acquire(ANOTHERS_B) > 0, "the second one's waiter does not have it");
  }

  void deafWaiterIsPassedOver() {
    takes(ONE, B);
    queues(TWO);
    check(gives(ONE, B).equals(List.of(1L, 1L)), "passed on");
    check(acquire(THREE) > 0, "kept for one that does not listen");
  }

  void reservationForOneIsReleased() {
    listen("s0");
    takes(ONE, B);
    queues(TWO);
    gives(ONE, B);
    check(gives(TWO, C).equals(List.of(1L, 0L)), "what was kept for it stays");
    check(acquire(THREE) > 0, "what was kept for it is held");
  }

  void lastReleaseRefusesLateRequests() {
    takes(ONE, B);
    TogetherScripts late = new TogetherScripts(Script.SETNX_TOGETHER, KeySpace.WHOLE);
    ScriptRequest mark = FencedScripts.gone(B, KeySpace.WHOLE);
    send(mark);
    send(late.release(List.of(ONE, B), TogetherStories::how));
    is(left(new String(mark.keys()[0], US_ASCII)), 3_600_000L);
    try {
      Object reply =
          send(late.acquire(List.of(new AcquireRequest(B, LEASE, IfHeld.REFUSE)), List.of()));
      check(false, "taken: " + reply);
    } catch (ReplyError expected) {
      AcquireRequest another = new AcquireRequest(ONE, LEASE, IfHeld.REFUSE);
      check(send(late.acquire(List.of(another), List.of())) instanceof Long, "so is another");
    }
  }
}
