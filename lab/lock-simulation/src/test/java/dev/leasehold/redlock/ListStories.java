package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

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
final class ListStories extends ScriptScene {
  ListStories() {
    voter("-").entered((List<?>) send(voter("-").enter("run1-of-a-server")));
    micros += 60 * SECOND;
  }

  private static NodeVoter voter(String lists) {
    NodeVoter made = new NodeVoter(LEASE, KeySpace.WHOLE);
    made.partOf(() -> new Membership(lists, lists.replaceAll("[a-f]", "host-$0:6379")));
    return made;
  }

  /** The node's answer to a client with such lists. */
  private Object asked(String lists) {
    try {
      return send(
          voter(lists)
              .guard(
                  store.vote(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE), 0),
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

  void listsWithDisjointMajoritiesAreRefused() {
    refuses("a,b,c", "a,b,c,d,e");
    refuses("a,b,c", "a,b,d");
    refuses("a,b,c,d,e", "a,b,c,d,f");
    refuses("a,b,c|a,b,d", "d,e,f");
  }

  void listsThatDifferByOneNodeAreAccepted() {
    votes("a,b,c", "a,b,c,d");
    votes("a,b,c,d", "a,b,d");
    votes("a,b,c,d,e", "c,a,b,e,d");
  }

  void majorityOfBothListsIsWithinEither() {
    votes("a,b,c", "a,b,c,d,e|a,b,c");
    votes("a,b,c,d,e|a,b,c", "a,b,c,d,e");
    votes("d,e,f|a,b,c", "d,e,f|a,b,c");
  }

  void unknownNodeHasNotVoted() {
    votes("a,b,?", "a,b,c");
    votes("a,b,?", "a,b,d"); // a and b alone have voted for the first
    votes("a,b,c", "a,?,?");
    votes("-", "a,b,c");
    votes("a,b,c", "-");
  }

  void otherListIsIgnoredOnceItsLeasesHaveExpired() {
    asked("a,b,c");
    micros += 9 * SECOND;
    check(asked("d,e,f").toString().startsWith("OTHERNODES"), "leases may last");
    micros += 3 * SECOND;
    check(asked("d,e,f") instanceof Long, "no lease can last");
    check(asked("a,b,c").toString().startsWith("OTHERNODES"), "the later list counts now");
  }

  void listCountsToTheMillisecond() {
    asked("a,b,c");
    micros += 11 * SECOND - 1000;
    check(asked("d,e,f").toString().startsWith("OTHERNODES"), "a millisecond too soon");
    micros += 1000;
    check(asked("d,e,f") instanceof Long, "does not vote in time");
  }

  void eachVoteExtendsTheExpiry() {
    asked("a,b,c");
    micros += 9 * SECOND;
    asked("a,b,c");
    micros += 9 * SECOND;
    check(asked("d,e,f").toString().startsWith("OTHERNODES"), "the later vote does not count");
  }

  void votesForAClientShareOneEntry() {
    asked("a,b,c");
    micros += 5 * SECOND;
    asked("a,b,c");
    String voters = (String) server.call("HGET", "lh:node", "voters");
    check(voters.lines().count() == 1, "two votes for one client: " + voters);
    asked("a,b,c,d");
    voters = (String) server.call("HGET", "lh:node", "voters");
    check(voters.lines().count() == 2, "two lists: " + voters);
  }

  void entryIsWrittenAtMostOncePerSecond() {
    asked("a,b,c");
    Object written = server.call("HGET", "lh:node", "voters");
    micros += SECOND;
    asked("a,b,c");
    is(server.call("HGET", "lh:node", "voters"), written);
    micros += 1000;
    asked("a,b,c");
    Object later = server.call("HGET", "lh:node", "voters");
    check(!later.equals(written), "still " + later);
  }

  void clockStepBackIsNotWaitedFor() {
    asked("a,b,c");
    micros -= 30 * SECOND;
    String words = asked("d,e,f").toString();
    check(words.contains("for 11000 ms more"), words);
  }

  void refusalNamesBothLists() {
    asked("a,b,c");
    String words = asked("d,e,f|d,e,b").toString();
    check(words.contains("host-a:6379,host-b:6379,host-c:6379"), words);
    check(
        words.contains(
            "host-d:6379,host-e:6379,host-f:6379 and before host-d:6379,host-e:6379,host-b:6379"),
        words);
  }

  private String entered(NodeVoter by, String run) {
    by.entered((List<?>) send(by.enter(run)));
    return by.id();
  }

  void nodeHasAnIdOnceItVotes() {
    NodeVoter client = voter("-");
    String id = entered(client, "run1-of-a-server");
    check(id.equals("run1-of-a-se"), "the id is " + id);
    server.call("DEL", "lh:node");
    check(entered(voter("-"), "run2").isEmpty(), "a node that does not vote has an id");
    check(entered(client, "run2").equals(id), "it does not get its id back");
    check(entered(voter("-"), "run3").equals(id), "the id is gone with a run");
  }
}
