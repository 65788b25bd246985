package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.ENGINE;
import static dev.leasehold.redlock.Mutants.one;

import java.util.List;

/** {@link Mutants} of leases that are kept after a release. */
final class LingerMutants {
  private LingerMutants() {}

  static List<Mutants> all() {
    return List.of(
        engine(
            "a reused lease has the same number",
            "lease/LeaseState",
            "next(Effect.TAKE)",
            "in(Phase.HELD).with(Effect.TAKE)",
            "idleLeaseIsReused"),
        engine(
            "an idle lease does not count as held",
            "hold/Holds",
            "        && idle == null\n",
            "",
            "idleLeaseIsReused"),
        engine(
            "an idle lease has no timer",
            "hold/Releases",
            "    lease.watch(until);\n",
            "",
            "idleLeaseIsReleasedInTime"),
        engine(
            "a recall is ignored",
            "hold/Holds",
            "    releases().recalled(lease);\n",
            "",
            "anotherClientRecallsIt"),
        engine(
            "a recalled lease is kept after the hold",
            "lease/LeaseState",
            "left.lingers() && !wanted",
            "left.lingers()",
            "contendedLeaseIsNotKept"),
        engine(
            "a grant's report of waiters is ignored",
            "lease/Recall",
            "return wanted || answer.wanted();",
            "return wanted;",
            "grantReportsOtherWaiters"),
        engine(
            "more numbers are used than the store has reserved",
            "lease/RemoteLease",
            ": granted.handOvers();",
            ": granted.handOvers() + 100;",
            "numbersAreNeverUsedTwice"),
        engine(
            "a reused lease is not renewed",
            "hold/LeaseExtension",
            "if (!needed && (!over.isEmpty() || records.releases().isIdle(lease))) {",
            "if (!needed && !over.isEmpty()) {",
            "reusedLeaseIsRenewed"),
        quorum(
            "a refusal by a quorum names no lease to recall",
            "VoteCount",
            "recallable(answers, held), 0, false)",
            "Optional.empty(), 0, false)",
            "anotherClientRecallsItFromAQuorum"),
        quorum(
            "the token of a quorum's later round can't be recalled",
            "Recalls",
            "listener == null ? fresh : store(listener.node).recallable(fresh)",
            "fresh",
            "tokenOfALaterRoundIsRecalled"),
        quorum(
            "recalls of a later round's token are not heard",
            "Recalls",
            "if (listener != null && !used.equals(origin)) {",
            "if (false) {",
            "tokenOfALaterRoundIsRecalled"),
        quorum(
            "a quorum's grant does not report waiters",
            "GrantedNumbers",
            "won.grants().nodes().anyMatch(i -> vote(won, i).wanted())",
            "false",
            "leaseOfAQuorumThatOthersWaitForIsNotKept"),
        Mutants.script(
            "a node without the lease does not pass on a recall",
            "recall",
            "return redis.call(ARGV[1], ARGV[2], ARGV[3])",
            "local v = redis.call('GET', KEYS[1])\n"
                + "if v and string.find(ARGV[3], v, 1, true) then "
                + "return redis.call(ARGV[1], ARGV[2], ARGV[3]) end",
            "LingerStories#recallPassesThroughANodeWithoutTheLease"),
        quorum(
            "a client recalls through the other nodes only",
            "Recalls",
            "        nodes()\n            .map(node -> node.send",
            "        nodes()\n            .skip(1)\n            .map(node -> node.send",
            "anotherClientRecallsItFromAQuorum"));
  }

  /** Mutants of refusals that recall the lease. */
  static List<Mutants> ofRefusals() {
    return List.of(
        script(
            "a refusal claims a recall that it did not publish",
            "redis.pcall(ARGV[9], ARGV[10] .. string.match(held, '^.*~(.*)$'), message)",
            "1",
            "lingeringClientNeedsNoMessageOfItsOwn"),
        script(
            "a refusal recalls through the wrong channel",
            "string.match(held, '^.*~(.*)$')",
            "string.match(ARGV[1], '^.*~(.*)$')",
            "refusalRecallsTheLease"),
        script(
            "a refusal recalls another token",
            "(ARGV[11] == '' and '' or ARGV[11] .. ' ') .. held",
            "(ARGV[11] == '' and '' or ARGV[11] .. ' ') .. ARGV[1]",
            "refusalRecallsTheLease"),
        script(
            "a refusal recalls a lease that can't linger",
            "string.find(held, '^[^+-].*~')",
            "string.find(held, '^[^+-]')",
            "refusalRecallsOnlyWhatCanLinger"),
        script(
            "a refusal recalls what is reserved or kept taken",
            "string.find(held, '^[^+-].*~')",
            "string.find(held, '~')",
            "refusalRecallsOnlyWhatCanLinger"),
        script(
            "a refusal reports a recall without a receiver",
            "heard > 0",
            "heard >= 0",
            "recallThatNoNodeDeliversIsSent"),
        script(
            "a refusal fails if the recall may not be published",
            "redis.pcall(ARGV[9]",
            "redis.call(ARGV[9]",
            "refusalThatMayNotPublishIsARefusal"),
        script(
            "a waiter that recalls is queued as on a quorum",
            "if tonumber(ARGV[8]) then",
            "if ARGV[8] then",
            "recallingWaiterIsQueuedAsAnyOther"),
        one(
            "a lease that the store has recalled is recalled again",
            ENGINE + "calls/StoreOperations.java",
            "!refusal.recalled() && store",
            "store",
            "RecallStories#lingeringClientNeedsNoMessageOfItsOwn"),
        one(
            "a lease that the store has not recalled is not recalled",
            ENGINE + "calls/StoreOperations.java",
            "!refusal.recalled() && store",
            "refusal.recalled() && store",
            "RecallStories#otherClientSendsAMessage"),
        one(
            "a waiter queues before a recalled lease can be back",
            ENGINE + "acquire/AcquireLoop.java",
            "returning = held.recalled() && waiter.recalls++ == 0;",
            "",
            "RecallStories#lingeringWaiterIsGrantedAtItsSecondRequest"),
        one(
            "a waiter asks on and on for a recalled lease that is in use",
            ENGINE + "acquire/AcquireLoop.java",
            "returning = held.recalled() && waiter.recalls++ == 0;",
            "returning = held.recalled();",
            "RecallStories#waiterThatCantListenDoesNotAskOnAndOn"),
        Mutants.quorum(
            "a quorum forgets that a node has recalled the lease",
            "VoteCount",
            "        && held.recalled()\n",
            "        && false\n",
            "RecallStories#lingeringClientOfAQuorumNeedsNoMessageOfItsOwn"),
        Mutants.quorum(
            "a quorum takes every lease for recalled",
            "VoteCount",
            "        && held.recalled()\n",
            "",
            "RecallStories#recallThatNoNodeDeliversIsSent"));
  }

  private static Mutants script(String what, String from, String to, String story) {
    return Mutants.script(what, "acquire", from, to, "RecallStories#" + story);
  }

  private static Mutants quorum(String what, String file, String from, String to, String story) {
    return Mutants.quorum(what, file, from, to, "LingerStories#" + story);
  }

  private static Mutants engine(String what, String file, String from, String to, String story) {
    return one(what, ENGINE + file + ".java", from, to, "LingerStories#" + story);
  }
}
