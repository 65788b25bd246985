package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.ReplyError;
import java.util.List;

/**
 * How a node treats clients with different lists of nodes. Each throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class ListStories {
  private final ScriptScene scene = new ScriptScene();

  private ListStories() {
    voter("-").entered((List<?>) scene.send(voter("-").enter("run1-of-a-server")));
    scene.micros += 60 * SECOND;
  }

  private static NodeVoter voter(String lists) {
    NodeVoter made = new NodeVoter(LEASE, KeySpace.WHOLE);
    made.partOf(() -> new Membership(lists, lists.replaceAll("[a-f]", "host-$0:6379")));
    return made;
  }

  /** The node's answer to a client with such lists. */
  private Object asked(String lists) {
    try {
      return scene.send(
          voter(lists)
              .guard(
                  scene.store.vote(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE), 0),
                  Script.GUARDED_ACQUIRE,
                  "run1-of-a-server"));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  private static void votes(String first, String then) {
    ListStories s = new ListStories();
    check(s.asked(first) instanceof Long, "does not vote at all");
    Object reply = s.asked(then);
    check(reply instanceof Long, "of " + then + " after " + first + ": " + reply);
  }

  private static void refuses(String first, String then) {
    ListStories s = new ListStories();
    check(s.asked(first) instanceof Long, "does not vote at all");
    Object reply = s.asked(then);
    check(reply.toString().startsWith("OTHERNODES"), "of " + then + " after " + first);
  }

  static void listsWithDisjointMajoritiesAreRefused() {
    refuses("a,b,c", "a,b,c,d,e");
    refuses("a,b,c", "a,b,d");
    refuses("a,b,c,d,e", "a,b,c,d,f");
    refuses("a,b,c|a,b,d", "d,e,f");
  }

  static void listsThatDifferByOneNodeAreAccepted() {
    votes("a,b,c", "a,b,c,d");
    votes("a,b,c,d", "a,b,d");
    votes("a,b,c,d,e", "c,a,b,e,d");
  }

  static void majorityOfBothListsIsWithinEither() {
    votes("a,b,c", "a,b,c,d,e|a,b,c");
    votes("a,b,c,d,e|a,b,c", "a,b,c,d,e");
    votes("d,e,f|a,b,c", "d,e,f|a,b,c");
  }

  static void unknownNodeHasNotVoted() {
    votes("a,b,?", "a,b,c");
    votes("a,b,?", "a,b,d"); // a and b alone have voted for the first
    votes("a,b,c", "a,?,?");
    votes("-", "a,b,c");
    votes("a,b,c", "-");
  }

  static void otherListIsIgnoredOnceItsLeasesHaveExpired() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    s.scene.micros += 9 * SECOND;
    check(s.asked("d,e,f").toString().startsWith("OTHERNODES"), "leases may last");
    s.scene.micros += 3 * SECOND;
    check(s.asked("d,e,f") instanceof Long, "no lease can last");
    check(s.asked("a,b,c").toString().startsWith("OTHERNODES"), "the later list counts now");
  }

  static void listCountsToTheMillisecond() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    s.scene.micros += 11 * SECOND - 1000;
    check(s.asked("d,e,f").toString().startsWith("OTHERNODES"), "a millisecond too soon");
    s.scene.micros += 1000;
    check(s.asked("d,e,f") instanceof Long, "does not vote in time");
  }

  static void eachVoteExtendsTheExpiry() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    s.scene.micros += 9 * SECOND;
    s.asked("a,b,c");
    s.scene.micros += 9 * SECOND;
    check(s.asked("d,e,f").toString().startsWith("OTHERNODES"), "the later vote does not count");
  }

  static void votesForAClientShareOneEntry() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    s.scene.micros += 5 * SECOND;
    s.asked("a,b,c");
    String voters = (String) s.scene.server.call("HGET", "lh:node", "voters");
    check(voters.lines().count() == 1, "two votes for one client: " + voters);
    s.asked("a,b,c,d");
    voters = (String) s.scene.server.call("HGET", "lh:node", "voters");
    check(voters.lines().count() == 2, "two lists: " + voters);
  }

  static void entryIsWrittenAtMostOncePerSecond() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    Object written = s.scene.server.call("HGET", "lh:node", "voters");
    s.scene.micros += SECOND;
    s.asked("a,b,c");
    is(s.scene.server.call("HGET", "lh:node", "voters"), written);
    s.scene.micros += 1000;
    s.asked("a,b,c");
    Object later = s.scene.server.call("HGET", "lh:node", "voters");
    check(!later.equals(written), "still " + later);
  }

  static void clockStepBackIsNotWaitedFor() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    s.scene.micros -= 30 * SECOND;
    String words = s.asked("d,e,f").toString();
    check(words.contains("for 11000 ms more"), words);
  }

  static void refusalNamesBothLists() {
    ListStories s = new ListStories();
    s.asked("a,b,c");
    String words = s.asked("d,e,f|d,e,b").toString();
    check(words.contains("host-a:6379,host-b:6379,host-c:6379"), words);
    check(
        words.contains(
            "host-d:6379,host-e:6379,host-f:6379 and before host-d:6379,host-e:6379,host-b:6379"),
        words);
  }

  private String entered(NodeVoter by, String run) {
    by.entered((List<?>) scene.send(by.enter(run)));
    return by.id();
  }

  static void nodeHasAnIdOnceItVotes() {
    ListStories s = new ListStories();
    NodeVoter client = voter("-");
    String id = s.entered(client, "run1-of-a-server");
    check(id.equals("run1-of-a-se"), "the id is " + id);
    s.scene.server.call("DEL", "lh:node");
    check(s.entered(voter("-"), "run2").isEmpty(), "a node that does not vote has an id");
    check(s.entered(client, "run2").equals(id), "it does not get its id back");
    check(s.entered(voter("-"), "run3").equals(id), "the id is gone with a run");
  }
}
