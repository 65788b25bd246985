package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;
import static dev.leasehold.redlock.ScriptScene.TWO;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.List;

/** As {@link ScriptStories}, for the scripts that stop a node from voting after a loss of data. */
@SuppressWarnings("unused") // called by reflection
final class GuardStories {
  private static final Duration LONG = Duration.ofSeconds(60);

  private GuardStories() {}

  /** A client that sends no list of nodes, with leases up to this length. */
  static NodeVoter voter(Duration longest) {
    return new NodeVoter(longest, KeySpace.WHOLE);
  }

  /** Registers a client; returns for how long the node does not vote for it. */
  private static long left(ScriptScene s, String run, Duration longest) {
    return (Long) ((List<?>) s.send(voter(longest).enter(run))).get(0);
  }

  private static Object guarded(ScriptScene s, String run, Duration longest) {
    return guarded(s, ONE, run, longest);
  }

  private static Object guarded(ScriptScene s, LeaseKey key, String run, Duration longest) {
    try {
      return s.send(
          voter(longest)
              .guard(
                  s.store.vote(new AcquireRequest(key, LEASE, IfHeld.REFUSE), 0),
                  Script.GUARDED_ACQUIRE,
                  run));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  static void refusedRequestRecordsNoVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 60 * SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
    s.micros += 5 * SECOND;
    Object before = s.server.call("HGETALL", "lh:node");
    Object reply = guarded(s, TWO, "run1", LEASE);
    check(reply instanceof Long refused && refused < 0, "granted to two: " + reply);
    is(s.server.call("HGETALL", "lh:node"), before);
  }

  static void restartedNodeDoesNotVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 60 * SECOND;
    Object reply = guarded(s, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void newlyMetNodeDoesNotVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 9 * SECOND;
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    s.micros += 60 * SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void nodeVotesNoEarlierThanReported() {
    ScriptScene s = new ScriptScene();
    long left = left(s, "run1", LEASE);
    s.micros += (left - 1) * 1000;
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted a millisecond too soon: " + reply);
    s.micros += 1000;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote in time");
  }

  static void votingNodeHasNoQuarantine() {
    ScriptScene s = new ScriptScene();
    is(left(s, "run1", LEASE), 10_000L);
    is(s.server.call("HGET", "lh:node", "since"), Long.toString(s.micros / 1000));
    s.micros += 60 * SECOND;
    is(left(s, "run1", LEASE), 0L);
  }

  /** It may lack writes of the primary that it replicated. */
  static void promotedReplicaDoesNotVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 60 * SECOND;
    s.server.promoted("another");
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    is(left(s, "run1", LEASE), 10_000L);
    s.micros += 60 * SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void longerLeaseCountsFromItsVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 70 * SECOND;
    check(guarded(s, "run1", LONG) instanceof Long, "does not vote at all");
    check(left(s, "run2", LEASE) >= 60_000, "the longer lease was forgotten");
    s.micros += 59 * SECOND;
    Object reply = guarded(s, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  static void clientWithoutVotesExtendsOnlyItsOwnQuarantine() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 20 * SECOND;
    check(left(s, "run1", LONG) == 40_000, "a longer lease is not its own matter");
    Object reply = guarded(s, "run1", LONG);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    check(guarded(s, "run1", LEASE) instanceof Long, "a client that came and went stops others");
  }

  static void longerLeaseCountsUntilItHasExpired() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 70 * SECOND;
    guarded(s, "run1", LONG);
    s.micros += 62 * SECOND;
    long left = left(s, "run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  static void enteringClientsLeaseExtendsTheQuarantine() {
    ScriptScene s = new ScriptScene();
    NodeVoter holder = new NodeVoter(LONG, KeySpace.WHOLE);
    s.send(holder.enter("run1"));
    s.micros += 70 * SECOND;
    holder.voted();
    s.server.call("DEL", "lh:node");
    s.send(voter(LEASE).enter("run1"));
    s.send(holder.enter("run1"));
    s.micros += 30 * SECOND;
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  static void olderVersionsLeaseCounts() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 20 * SECOND;
    s.server.call("HSET", "lh:node", "longest", "60000"); // as an older version's guard does
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    s.micros += 62 * SECOND;
    check(left(s, "run2", LEASE) == 10_000, "it counts for ever");
    s.server.call("HSET", "lh:node", "longest", "60000");
    check(left(s, "run3", LEASE) == 60_000, "it does not count when it comes again");
  }

  static void olderVersionsLeaseCountsToTheMillisecond() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 20 * SECOND;
    s.server.call("HSET", "lh:node", "longest", "60000");
    check(left(s, "run1", LEASE) == 40_000, "it does not count");
    s.micros += 61 * SECOND - 1000;
    check(left(s, "run2", LEASE) == 60_000, "forgotten a millisecond too soon");
    s.micros += 1000;
    check(left(s, "run3", LEASE) == 10_000, "it counts for longer");
  }

  /**
   * A vote by an older version, which only ever increases 'longest': it must find a value smaller
   * than its own.
   */
  private static void olderVersionVotes(ScriptScene s, Duration longest) {
    Object told = ((List<?>) s.server.call("HMGET", "lh:node", "longest")).get(0);
    if (Long.parseLong(String.valueOf(told)) < longest.toMillis()) {
      s.server.call("HSET", "lh:node", "longest", Long.toString(longest.toMillis()));
    }
  }

  static void olderVersionsLeaseCountsBesideOurs() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 70 * SECOND;
    check(guarded(s, "run1", LONG) instanceof Long, "does not vote at all");
    s.micros += 30 * SECOND;
    olderVersionVotes(s, LONG);
    s.micros += 40 * SECOND; // our own lease has expired
    long left = left(s, "run2", LEASE);
    check(left == 60_000, "votes in " + left);
  }

  /**
   * Restores an earlier marker, as a node does that lost its last second: with it a vote and its
   * record.
   */
  private static void forget(ScriptScene s, List<?> marker) {
    s.server.call("DEL", "lh:node");
    for (int i = 0; i < marker.size(); i += 2) {
      s.server.call("HSET", "lh:node", text(marker.get(i)), text(marker.get(i + 1)));
    }
  }

  private static String text(Object reply) {
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
  }

  private static void enterFor(ScriptScene s, NodeVoter client, int seconds) {
    for (int i = 0; i < seconds; i += 20) {
      s.send(client.enter("run1"));
      s.micros += 20 * SECOND;
    }
  }

  static void enteredClientRemainsKnownWithoutItsVote() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    enterFor(s, new NodeVoter(LONG, KeySpace.WHOLE), 300); // without holding a lease
    List<?> before = (List<?>) s.server.call("HGETALL", "lh:node");
    check(guarded(s, "run1", LONG) instanceof Long, "does not vote at all");
    forget(s, before);
    check(left(s, "run2", LEASE) == 60_000, "its lease was forgotten");
    s.micros += 59 * SECOND;
    Object reply = guarded(s, TWO, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  /**
   * The client got a vote just before it was due to register again, was cut off, and the node's
   * restart was noticed late.
   */
  static void clientThatEntersAgainInTimeRemainsKnown() {
    ScriptScene s = new ScriptScene();
    enterFor(s, new NodeVoter(LONG, KeySpace.WHOLE), 300);
    List<?> before = (List<?>) s.server.call("HGETALL", "lh:node");
    check(guarded(s, "run1", LONG) instanceof Long, "does not vote at all");
    forget(s, before);
    s.micros += 45 * SECOND; // the server is down; the lease has 15 s left
    s.send(voter(LEASE).enter("run2"));
    s.micros += 11 * SECOND;
    Object reply = guarded(s, TWO, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  static void departedClientIsForgotten() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 20 * SECOND;
    s.send(voter(LONG).enter("run1"));
    s.micros += 122 * SECOND;
    long left = left(s, "run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  static void olderVersionLearnsOfEnteredClients() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LONG).enter("run1"));
    s.send(voter(LEASE).enter("run1"));
    Object told = s.server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("59999")), "told " + told);
  }

  static void clockStepBackForgetsEnteredClients() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LONG).enter("run1"));
    s.micros -= 3600 * SECOND;
    s.send(voter(LEASE).enter("run1"));
    s.micros += 122 * SECOND;
    long left = left(s, "run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  /** For as long as an older version needs it, and no longer. */
  static void olderVersionLearnsTheLongestLease() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 70 * SECOND;
    guarded(s, "run1", LONG);
    Object told = s.server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("59999")), "told " + told);
    s.micros += 62 * SECOND;
    guarded(s, "run1", LEASE);
    told = s.server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("9999")), "told " + told);
  }

  static void restartedNodeHasNoClients() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros += 60 * SECOND;
    long left = left(s, "run2", LEASE);
    check(left >= 10_000, "votes in " + left);
    check(left(s, "run2", LEASE) >= 10_000, "the second client changed it");
  }

  static void clockStepBackCausesOneQuarantine() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros -= 3600 * SECOND;
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().endsWith("it votes in 10000 ms"), "told " + reply);
    s.micros += 9 * SECOND;
    check(left(s, "run1", LEASE) == 1000, "another client begins it anew");
    s.micros += SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void enteringClientNoticesTheClockStepBack() {
    ScriptScene s = new ScriptScene();
    s.send(voter(LEASE).enter("run1"));
    s.micros -= 3600 * SECOND;
    long left = left(s, "run1", LEASE);
    check(left == 10_000, "votes in " + left);
    s.micros += 10 * SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }
}
