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
            "        && !succession().hasIdleLease()\n",
            "",
            "idleLeaseIsReused"),
        engine(
            "an idle lease has no timer",
            "hold/Succession",
            "    lease.watch(until);\n",
            "",
            "idleLeaseIsReleasedInTime"),
        engine(
            "a recall is ignored",
            "hold/Holds",
            "    succession().recalled(lease);\n",
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
            "if (!needed && (!over.isEmpty() || records.succession().isIdle(lease))) {",
            "if (!needed && !over.isEmpty()) {",
            "reusedLeaseIsRenewed"),
        quorum(
            "a refusal by a quorum names no lease to recall",
            "VoteCount",
            "recallable(answers, held), 0)",
            "Optional.empty(), 0)",
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

  private static Mutants quorum(String what, String file, String from, String to, String story) {
    return Mutants.quorum(what, file, from, to, "LingerStories#" + story);
  }

  private static Mutants engine(String what, String file, String from, String to, String story) {
    return one(what, ENGINE + file + ".java", from, to, "LingerStories#" + story);
  }
}
