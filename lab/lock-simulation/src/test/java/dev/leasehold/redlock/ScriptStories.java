package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.simulation.ModelServer;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What each script has to do, on a server whose clock stands still: what the mutants of scripts are
 * killed by. Static methods without arguments; each throws if it is not so.
 */
@SuppressWarnings("unused") // called by their names
final class ScriptStories {
  private static final long SECOND = 1_000_000;
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final LeaseKey ONE = new LeaseKey("a", "c:1");
  private static final LeaseKey TWO = new LeaseKey("a", "c:2");
  private static final LeaseKey THREE = new LeaseKey("a", "c:3");
  private static final String LOCK = "lh:{a}";

  private long micros = 1_700_000_000 * SECOND;
  private final ModelServer server = new ModelServer(() -> micros, "run1", script -> script);
  private final FencedScripts store = new FencedScripts(Script.ACQUIRE, "s0");
  private final FencedScripts other = new FencedScripts(Script.SETNX_ACQUIRE, "s1");

  private Object send(ScriptRequest request) {
    List<String> words = new ArrayList<>();
    words.add("EVAL");
    words.add(new String(request.script().body(), US_ASCII));
    words.add(Integer.toString(request.keys().length));
    for (byte[] key : request.keys()) {
      words.add(new String(key, US_ASCII));
    }
    for (byte[] argument : request.arguments()) {
      words.add(new String(argument, US_ASCII));
    }
    return server.call(words);
  }

  private long number(ScriptRequest request) {
    return (Long) send(request);
  }

  private long acquire(LeaseKey key) {
    return acquire(key, LEASE, IfHeld.REFUSE);
  }

  private long acquire(LeaseKey key, Duration lease, IfHeld ifHeld) {
    return number(store.acquire(new AcquireRequest(key, lease, ifHeld, false)));
  }

  private long release(LeaseKey key) {
    return number(store.release(key, Publishing.toStore(key.name(), Publishing.COUNTS_ALL)));
  }

  /** Takes a lock with so many numbers after the fence; the fence, and how many there are. */
  private List<?> acquire(LeaseKey key, int numbers, long proposal) {
    AcquireRequest request =
        new AcquireRequest(key, LEASE, IfHeld.REFUSE, false, Duration.ZERO, Duration.ZERO, numbers);
    return (List<?>) send(store.vote(request, proposal));
  }

  private void release(LeaseKey key, long used, long last) {
    Publishing how = Publishing.toStore(key.name(), Publishing.COUNTS_ALL);
    number(store.release(key, new FenceRun(used, last), how));
  }

  private static ScriptRequest raise(LeaseKey key, long fence) {
    return FencedScripts.raise(key, fence, 0, KeySpace.WHOLE);
  }

  private long vote(LeaseKey key, long proposal) {
    return number(store.vote(new AcquireRequest(key, LEASE, IfHeld.REFUSE, false), proposal));
  }

  private void renew(Duration lease, LeaseKey key, long expected) {
    Object reply = send(FencedScripts.renew(List.of(new RenewRequest(key, lease)), LockKeys::lock));
    check(reply.equals(List.of(expected)), "renewed: " + reply);
  }

  private long left() {
    return (Long) server.call("PTTL", LOCK);
  }

  private void listen(String storeId) {
    server.subscribe(new String(Publishing.channelOf(storeId), US_ASCII), (channel, message) -> {});
  }

  static void fencesGrowThoughTheClockStandsStill() {
    ScriptStories s = new ScriptStories();
    long first = s.acquire(ONE);
    s.release(ONE);
    check(s.acquire(TWO) > first, "the same fence twice");
  }

  static void fencesFollowTheClock() {
    ScriptStories s = new ScriptStories();
    long first = s.acquire(ONE);
    s.release(ONE);
    s.server.call("DEL", LOCK + ":fence");
    s.micros += SECOND;
    check(s.acquire(TWO) > first, "a fence that was forgotten was given again");
  }

  static void fencesAreKept() {
    ScriptStories s = new ScriptStories();
    long first = s.vote(ONE, s.micros + 500_000);
    s.release(ONE);
    check(s.acquire(TWO) > first, "a fence ahead of the clock was forgotten");
  }

  static void proposalsAreTaken() {
    ScriptStories s = new ScriptStories();
    check(s.vote(ONE, s.micros + 7) == s.micros + 7, "not what was proposed");
  }

  static void proposalsAreCut() {
    ScriptStories s = new ScriptStories();
    check(s.vote(ONE, 9_000_000_000_000_000L) == s.micros + SECOND, "led away");
  }

  static void askedAgainItKeepsItsFence() {
    ScriptStories s = new ScriptStories();
    long first = s.acquire(ONE);
    s.micros += 5;
    check(s.acquire(ONE) == first, "another fence for the same token");
  }

  static void laterFencesFollowARun() {
    ScriptStories s = new ScriptStories();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.release(ONE);
    check(s.acquire(TWO) == first + 6, "a number of two");
  }

  static void runsAreCut() {
    ScriptStories s = new ScriptStories();
    check(s.acquire(ONE, 5, 0).equals(List.of(s.micros, 5L)), "not what was asked for");
    s.release(ONE);
    List<?> run = s.acquire(ONE, 5, s.micros + SECOND - 2);
    check(run.equals(List.of(s.micros + SECOND - 2, 2L)), "more than a second ahead: " + run);
    s.release(ONE);
    run = s.acquire(ONE, 5, 0);
    check(run.equals(List.of(s.micros + SECOND + 1, 0L)), "more than a second ahead: " + run);
  }

  static void askedAgainItHasNoRun() {
    ScriptStories s = new ScriptStories();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    check(s.acquire(ONE, 5, 0).equals(List.of(first + 5, 0L)), "not the last number");
    check(s.acquire(ONE, 5, first + 9).equals(List.of(first + 9, 0L)), "not what was proposed");
  }

  static void unusedNumbersAreGivenBack() {
    ScriptStories s = new ScriptStories();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.release(ONE, first + 2, first + 5);
    check(s.acquire(TWO) == first + 3, "not given back");
  }

  static void whatWasGivenSinceIsNotGivenBack() {
    ScriptStories s = new ScriptStories();
    long first = (Long) s.acquire(ONE, 5, 0).get(0);
    s.number(raise(ONE, first + 9));
    s.release(ONE, first + 2, first + 5);
    check(s.acquire(TWO) == first + 10, "given back what another has");
    s.release(ONE, first + 2, first + 10);
    check(s.acquire(TWO) == first + 10, "given back by who does not hold it");
  }

  static void askedAgainItIsNotShortened() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(ONE, Duration.ofSeconds(1), IfHeld.REFUSE);
    check(s.left() == 10_000, "shortened to " + s.left());
  }

  static void askedAgainItIsMadeLonger() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(ONE, Duration.ofSeconds(20), IfHeld.REFUSE);
    check(s.left() == 20_000, "still " + s.left());
  }

  static void othersAreRefused() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    check(s.acquire(TWO) == -1 - 10_000, "two have it");
    check(
        s.number(s.other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.REFUSE, false))) < 0, "two");
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "who does not wait stands in line");
  }

  static void leasesEnd() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    check(s.left() == 10_000, "lasts " + s.left());
    s.release(ONE);
    s.send(s.other.acquire(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE, false)));
    check(s.left() == 10_000, "by SETNX lasts " + s.left());
  }

  static void whoWaitsStandsInLine() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:2") != null, "not in line");
    check((Long) s.server.call("PTTL", LOCK + ":wait") > 0, "the line does not end");
  }

  static void whoHasItLeavesTheLine() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.server.call("DEL", LOCK);
    s.acquire(TWO, LEASE, IfHeld.REFUSE);
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  static void whoAsksAgainKeepsItsPlace() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.micros += SECOND;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.micros += SECOND;
    s.number(
        s.store.acquire(
            new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE, true, LEASE, Duration.ofSeconds(2))));
    List<?> line = (List<?>) s.server.call("ZRANGE", LOCK + ":wait", "0", "-1");
    check(line.equals(List.of("s0:c:2", "s0:c:3")), "the line is " + line);
  }

  static void onlyItsOwnIsReleased() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    check(s.release(TWO) == 0 && s.left() == 10_000, "another's was released");
  }

  static void whatIsReleasedIsFree() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    check(s.release(ONE) > 0 && s.acquire(TWO) > 0, "not free");
  }

  static void theFirstWhoListensIsWoken() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.number(s.other.acquire(new AcquireRequest(TWO, LEASE, IfHeld.ENQUEUE, false)));
    s.micros += 1000;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.listen("s0"); // nobody listens for s1
    check(s.release(ONE) == 2, "nobody was woken");
  }

  static void oneIsWoken() {
    ScriptStories s = new ScriptStories();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.micros += 1000;
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.release(ONE);
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "more than one was woken");
  }

  static void whoLeavesIsOutOfLine() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.send(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(s.server.call("ZCARD", LOCK + ":wait").equals(0L), "still in line");
  }

  static void whoLeavesWakesNobodyWhileItIsHeld() {
    ScriptStories s = new ScriptStories();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.send(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(s.server.call("ZSCORE", LOCK + ":wait", "s0:c:3") != null, "woken for nothing");
  }

  static void whoLeavesPassesTheWakeUpOn() {
    ScriptStories s = new ScriptStories();
    s.listen("s0");
    s.acquire(ONE);
    s.acquire(TWO, LEASE, IfHeld.ENQUEUE);
    s.acquire(THREE, LEASE, IfHeld.ENQUEUE);
    s.server.call("DEL", LOCK);
    long woken = s.number(s.store.leave(TWO, Publishing.toStore("a", Publishing.COUNTS_ALL)));
    check(woken == 1, "nobody was woken");
  }

  static void onlyItsOwnIsRenewed() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.renew(Duration.ofSeconds(20), TWO, 0);
    check(s.left() == 10_000, "another's was renewed");
  }

  static void renewalsLast() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.micros += 5 * SECOND;
    s.renew(LEASE, ONE, 1);
    check(s.left() == 10_000, "still " + s.left());
  }

  static void renewalsDoNotShorten() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.renew(Duration.ofSeconds(1), ONE, 1);
    check(s.left() == 10_000, "shortened to " + s.left());
  }

  static void renewalsReviveNothing() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    s.micros += 11 * SECOND;
    s.renew(LEASE, ONE, 0);
    check(s.left() == -2, "revived");
  }

  static void raisedFencesAreKept() {
    ScriptStories s = new ScriptStories();
    long fence = s.acquire(ONE) + 100;
    check(s.number(raise(ONE, fence)) == 1, "not the token's");
    s.release(ONE);
    check(s.acquire(TWO) > fence, "not raised");
  }

  static void fencesAreNotLowered() {
    ScriptStories s = new ScriptStories();
    long fence = s.acquire(ONE);
    s.number(raise(ONE, 5));
    check(s.acquire(ONE) == fence, "lowered");
  }

  static void onlyTheHolderRaises() {
    ScriptStories s = new ScriptStories();
    s.acquire(ONE);
    check(s.number(raise(TWO, 5)) == 0, "confirmed to who does not hold it");
  }

  private Object guarded(String run, Duration longest) {
    try {
      return send(
          RunGuard.guard(
              store.vote(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE, false), 0),
              Script.GUARDED_ACQUIRE,
              run,
              longest));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  static void anotherRunDoesNotVote() {
    ScriptStories s = new ScriptStories();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 60 * SECOND;
    Object reply = s.guarded("run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    check(s.guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void aRunThatWasJustMetDoesNotVote() {
    ScriptStories s = new ScriptStories();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 9 * SECOND;
    Object reply = s.guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    s.micros += 60 * SECOND;
    check(s.guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void longerLeasesKeepItOutForLonger() {
    ScriptStories s = new ScriptStories();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 20 * SECOND;
    Object reply = s.guarded("run1", Duration.ofSeconds(60));
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    reply = s.guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "another's longest was forgotten: " + reply);
  }

  static void enteringStartsAnewForAnotherRun() {
    ScriptStories s = new ScriptStories();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 60 * SECOND;
    long left = s.number(RunGuard.enter("run2", LEASE));
    check(left >= 10_000, "votes in " + left);
    check(s.number(RunGuard.enter("run2", LEASE)) >= 10_000, "the second client changed it");
  }

  static void enteringForgetsNoLongerLease() {
    ScriptStories s = new ScriptStories();
    s.send(RunGuard.enter("run1", Duration.ofSeconds(60)));
    long left = s.number(RunGuard.enter("run1", LEASE));
    check(left >= 60_000, "votes in " + left);
  }
}
