package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.TWO;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What the script of several locks at once has to do, on a server whose clock stands still. Static
 * methods without arguments; each throws if it is not so.
 */
@SuppressWarnings("unused") // called by their names
final class TogetherStories {
  private static final LeaseKey B = new LeaseKey("b", "c:1");
  private static final LeaseKey C = new LeaseKey("c", "c:1");
  private static final LeaseKey ANOTHERS_B = new LeaseKey("b", "c:2");

  private TogetherStories() {}

  /** The fence of all, or a list of what is held. */
  private static Object takes(
      ScriptScene s, Duration lease, List<LeaseKey> beside, LeaseKey... keys) {
    List<AcquireRequest> requests =
        Arrays.stream(keys).map(key -> new AcquireRequest(key, lease, IfHeld.REFUSE)).toList();
    return s.send(new TogetherScripts(KeySpace.WHOLE).acquire(requests, beside));
  }

  private static Object takes(ScriptScene s, LeaseKey... keys) {
    return takes(s, LEASE, List.of(), keys);
  }

  static void oneThatIsHeldRefusesAll() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    check(takes(s, ONE, B).equals(List.of(0L, -10_001L)), "another has one of them");
  }

  static void whoIsRefusedLeavesNothing() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    takes(s, ONE, B);
    check(s.acquire(TWO) > 0, "one that was free is taken");
  }

  static void itsTokenIsAboveAllBefore() {
    ScriptScene s = new ScriptScene();
    s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    long last = s.acquire(ANOTHERS_B);
    s.release(ANOTHERS_B);
    check((Long) takes(s, ONE, B) > last, "no larger than the second one's before");
  }

  static void itsTokenIsBelowAllAfterwards() {
    ScriptScene s = new ScriptScene();
    long token = (Long) takes(s, ONE, B);
    s.release(ONE);
    s.release(B);
    check(s.acquire(TWO) > token, "the first one's next is no larger");
    check(s.acquire(ANOTHERS_B) > token, "the second one's next is no larger");
  }

  static void itsTokenIsAlsoOfWhatIsBeside() {
    ScriptScene s = new ScriptScene();
    s.acquire(B);
    long token = (Long) takes(s, LEASE, List.of(B), ONE, C);
    s.release(B);
    check(s.acquire(ANOTHERS_B) > token, "the next one's beside is no larger");
  }

  static void whatIsBesideMustBeHeld() {
    ScriptScene s = new ScriptScene();
    check(takes(s, LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is over");
    s.acquire(ANOTHERS_B);
    check(takes(s, LEASE, List.of(B), ONE, C) instanceof List<?>, "the one beside is another's");
    check(s.acquire(TWO) > 0, "one that was free is taken");
  }

  static void askedAgainItHasThemAll() {
    ScriptScene s = new ScriptScene();
    Object token = takes(s, ONE, B);
    check(takes(s, ONE, B).equals(token), "another token");
  }

  static void askedAgainTheyAreNotShortened() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    takes(s, Duration.ofSeconds(1), List.of(), ONE, B);
    check(s.left() == LEASE.toMillis(), "it ends in " + s.left());
  }

  static void whatWasReleasedIsNotTakenLater() {
    ScriptScene s = new ScriptScene();
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

  static void eachEnds() {
    ScriptScene s = new ScriptScene();
    takes(s, ONE, B);
    s.micros += 11 * ScriptScene.SECOND;
    check(s.acquire(ANOTHERS_B) > 0, "it has no end");
  }
}
