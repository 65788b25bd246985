package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.one;
import static dev.leasehold.redlock.Mutants.quorum;

import java.util.List;

/** {@link Mutants} of the quorum. */
final class QuorumMutants {
  private QuorumMutants() {}

  static List<Mutants> all() {
    return List.of(
        one(
            "a minority counts as a quorum",
            "lock-api/src/main/java/dev/leasehold/lock/spi/quorum/Majority.java",
            "return nodes.size() > nodes.outOf() / 2;",
            "return nodes.size() >= nodes.outOf() / 2;",
            "QuorumStories#minorityDoesNotRenew"),
        quorum(
            "the duration of the vote is added to the lease",
            "QuorumRound",
            "Duration.ofNanos(sentAt - begunAt)",
            "Duration.ofNanos(quorum.now() - begunAt)",
            "voteDurationIsNotAddedToTheLease"),
        quorum(
            "a failed round is not released",
            "QuorumRound",
            "  private void failed(TokenState tokenState, Throwable failure) {\n"
                + "    quorum.withdraw(tokenState);",
            "  private void failed(TokenState tokenState, Throwable failure) {",
            "failedRoundIsReleased"),
        quorum(
            "a grant after the decision is kept",
            "QuorumRound",
            "} else if (tokenState.giveUp(round)) {\n            quorum.withdraw(tokenState);",
            "} else if (tokenState.giveUp(round)) {",
            "lateGrantIsReleased"),
        quorum(
            "a released token is reused",
            "TokenStates",
            "known != null || again ? alias(origin) : origin",
            "origin",
            "releasedTokenIsNotReused"),
        quorum(
            "a node reacquires after a release",
            "TokenState",
            "      if (released) {\n        return false;\n      }\n",
            "",
            "TwiceStories#releasedTokenIsNotReacquired"),
        quorum(
            "a node reacquires for any token that renews",
            "TokenState",
            "    if (!won) {\n      return; // nothing is known of this grant\n    }\n",
            "",
            "TwiceStories#unknownTokenIsNotReacquired"),
        quorum(
            "a node does not reacquire what it lost",
            "RenewalRound",
            "one.tokenState.takeAgain(node);",
            "",
            "confirmedTokenIsReacquired"));
  }
}
