package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;
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
final class GuardStories extends ScriptScene {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Registers a client; returns for how long the node does not vote for it. */
  private long left(String run, Duration longest) {
    return (Long) ((List<?>) send(voter(longest).enter(run))).get(0);
  }

  private Object guarded(String run, Duration longest) {
    return guarded(ONE, run, longest);
  }

  private Object guarded(LeaseKey key, String run, Duration longest) {
    try {
      return send(
          voter(longest)
              .guard(
                  store.vote(new AcquireRequest(key, LEASE, IfHeld.REFUSE), 0),
                  Script.GUARDED_ACQUIRE,
                  run));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  void refusedRequestRecordsNoVote() {
    send(voter(LEASE).enter("run1"));
    micros += 60 * SECOND;
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
    micros += 5 * SECOND;
    Object before = server.call("HGETALL", "lh:node");
    Object reply = guarded(TWO, "run1", LEASE);
    check(reply instanceof Long refused && refused < 0, "granted to two: " + reply);
    is(server.call("HGETALL", "lh:node"), before);
  }

  void restartedNodeDoesNotVote() {
    send(voter(LEASE).enter("run1"));
    micros += 60 * SECOND;
    Object reply = guarded("run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  void newlyMetNodeDoesNotVote() {
    send(voter(LEASE).enter("run1"));
    micros += 9 * SECOND;
    Object reply = guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    micros += 60 * SECOND;
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  void nodeVotesNoEarlierThanReported() {
    long left = left("run1", LEASE);
    micros += (left - 1) * 1000;
    Object reply = guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted a millisecond too soon: " + reply);
    micros += 1000;
    check(guarded("run1", LEASE) instanceof Long, "does not vote in time");
  }

  void votingNodeHasNoQuarantine() {
    is(left("run1", LEASE), 10_000L);
    is(server.call("HGET", "lh:node", "since"), Long.toString(micros / 1000));
    micros += 60 * SECOND;
    is(left("run1", LEASE), 0L);
  }

  /** It may lack writes of the primary that it replicated. */
  void promotedReplicaDoesNotVote() {
    send(voter(LEASE).enter("run1"));
    micros += 60 * SECOND;
    server.promoted("another");
    Object reply = guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    is(left("run1", LEASE), 10_000L);
    micros += 60 * SECOND;
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  void longerLeaseCountsFromItsVote() {
    send(voter(LEASE).enter("run1"));
    micros += 70 * SECOND;
    check(guarded("run1", LONG) instanceof Long, "does not vote at all");
    check(left("run2", LEASE) >= 60_000, "the longer lease was forgotten");
    micros += 59 * SECOND;
    Object reply = guarded("run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  void clientWithoutVotesExtendsOnlyItsOwnQuarantine() {
    send(voter(LEASE).enter("run1"));
    micros += 20 * SECOND;
    check(left("run1", LONG) == 40_000, "a longer lease is not its own matter");
    Object reply = guarded("run1", LONG);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    check(guarded("run1", LEASE) instanceof Long, "a client that came and went stops others");
  }

  void longerLeaseCountsUntilItHasExpired() {
    send(voter(LEASE).enter("run1"));
    micros += 70 * SECOND;
    guarded("run1", LONG);
    micros += 62 * SECOND;
    long left = left("run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  void enteringClientsLeaseExtendsTheQuarantine() {
    NodeVoter holder = new NodeVoter(LONG, KeySpace.WHOLE);
    send(holder.enter("run1"));
    micros += 70 * SECOND;
    holder.voted();
    server.call("DEL", "lh:node");
    send(voter(LEASE).enter("run1"));
    send(holder.enter("run1"));
    micros += 30 * SECOND;
    Object reply = guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  void olderVersionsLeaseCounts() {
    send(voter(LEASE).enter("run1"));
    micros += 20 * SECOND;
    server.call("HSET", "lh:node", "longest", "60000"); // as an older version's guard does
    Object reply = guarded("run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    micros += 62 * SECOND;
    check(left("run2", LEASE) == 10_000, "it counts for ever");
    server.call("HSET", "lh:node", "longest", "60000");
    check(left("run3", LEASE) == 60_000, "it does not count when it comes again");
  }

  void olderVersionsLeaseCountsToTheMillisecond() {
    send(voter(LEASE).enter("run1"));
    micros += 20 * SECOND;
    server.call("HSET", "lh:node", "longest", "60000");
    check(left("run1", LEASE) == 40_000, "it does not count");
    micros += 61 * SECOND - 1000;
    check(left("run2", LEASE) == 60_000, "forgotten a millisecond too soon");
    micros += 1000;
    check(left("run3", LEASE) == 10_000, "it counts for longer");
  }

  /**
   * A vote by an older version, which only ever increases 'longest': it must find a value smaller
   * than its own.
   */
  private void olderVersionVotes(Duration longest) {
    Object told = ((List<?>) server.call("HMGET", "lh:node", "longest")).get(0);
    if (Long.parseLong(String.valueOf(told)) < longest.toMillis()) {
      server.call("HSET", "lh:node", "longest", Long.toString(longest.toMillis()));
    }
  }

  void olderVersionsLeaseCountsBesideOurs() {
    send(voter(LEASE).enter("run1"));
    micros += 70 * SECOND;
    check(guarded("run1", LONG) instanceof Long, "does not vote at all");
    micros += 30 * SECOND;
    olderVersionVotes(LONG);
    micros += 40 * SECOND; // our own lease has expired
    long left = left("run2", LEASE);
    check(left == 60_000, "votes in " + left);
  }

  /**
   * Restores an earlier marker, as a node does that lost its last second: with it a vote and its
   * record.
   */
  private void forget(List<?> marker) {
    server.call("DEL", "lh:node");
    for (int i = 0; i < marker.size(); i += 2) {
      server.call("HSET", "lh:node", text(marker.get(i)), text(marker.get(i + 1)));
    }
  }

  private static String text(Object reply) {
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
  }

  private void enterFor(NodeVoter client, int seconds) {
    for (int i = 0; i < seconds; i += 20) {
      send(client.enter("run1"));
      micros += 20 * SECOND;
    }
  }

  void enteredClientRemainsKnownWithoutItsVote() {
    send(voter(LEASE).enter("run1"));
    enterFor(new NodeVoter(LONG, KeySpace.WHOLE), 300); // without holding a lease
    List<?> before = (List<?>) server.call("HGETALL", "lh:node");
    check(guarded("run1", LONG) instanceof Long, "does not vote at all");
    forget(before);
    check(left("run2", LEASE) == 60_000, "its lease was forgotten");
    micros += 59 * SECOND;
    Object reply = guarded(TWO, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  /**
   * The client got a vote just before it was due to register again, was cut off, and the node's
   * restart was noticed late.
   */
  void clientThatEntersAgainInTimeRemainsKnown() {
    enterFor(new NodeVoter(LONG, KeySpace.WHOLE), 300);
    List<?> before = (List<?>) server.call("HGETALL", "lh:node");
    check(guarded("run1", LONG) instanceof Long, "does not vote at all");
    forget(before);
    micros += 45 * SECOND; // the server is down; the lease has 15 s left
    send(voter(LEASE).enter("run2"));
    micros += 11 * SECOND;
    Object reply = guarded(TWO, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
  }

  void departedClientIsForgotten() {
    send(voter(LEASE).enter("run1"));
    micros += 20 * SECOND;
    send(voter(LONG).enter("run1"));
    micros += 122 * SECOND;
    long left = left("run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  void olderVersionLearnsOfEnteredClients() {
    send(voter(LONG).enter("run1"));
    send(voter(LEASE).enter("run1"));
    Object told = server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("59999")), "told " + told);
  }

  void clockStepBackForgetsEnteredClients() {
    send(voter(LONG).enter("run1"));
    micros -= 3600 * SECOND;
    send(voter(LEASE).enter("run1"));
    micros += 122 * SECOND;
    long left = left("run2", LEASE);
    check(left == 10_000, "votes in " + left);
  }

  /** For as long as an older version needs it, and no longer. */
  void olderVersionLearnsTheLongestLease() {
    send(voter(LEASE).enter("run1"));
    micros += 70 * SECOND;
    guarded("run1", LONG);
    Object told = server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("59999")), "told " + told);
    micros += 62 * SECOND;
    guarded("run1", LEASE);
    told = server.call("HMGET", "lh:node", "longest");
    check(told.equals(List.of("9999")), "told " + told);
  }

  void restartedNodeHasNoClients() {
    send(voter(LEASE).enter("run1"));
    micros += 60 * SECOND;
    long left = left("run2", LEASE);
    check(left >= 10_000, "votes in " + left);
    check(left("run2", LEASE) >= 10_000, "the second client changed it");
  }

  void clockStepBackCausesOneQuarantine() {
    send(voter(LEASE).enter("run1"));
    micros -= 3600 * SECOND;
    Object reply = guarded("run1", LEASE);
    check(reply.toString().endsWith("it votes in 10000 ms"), "told " + reply);
    micros += 9 * SECOND;
    check(left("run1", LEASE) == 1000, "another client begins it anew");
    micros += SECOND;
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }

  void enteringClientNoticesTheClockStepBack() {
    send(voter(LEASE).enter("run1"));
    micros -= 3600 * SECOND;
    long left = left("run1", LEASE);
    check(left == 10_000, "votes in " + left);
    micros += 10 * SECOND;
    check(guarded("run1", LEASE) instanceof Long, "does not vote at all");
  }
}
