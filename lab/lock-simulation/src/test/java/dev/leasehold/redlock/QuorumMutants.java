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
            "less than half of the nodes are a quorum",
            "lock-api/src/main/java/dev/leasehold/lock/spi/quorum/Majority.java",
            "return nodes.size() > nodes.outOf() / 2;",
            "return nodes.size() >= nodes.outOf() / 2;",
            "QuorumStories#oneOfThreeRenewsNothing"),
        quorum(
            "what votes took is added to the lease",
            "QuorumRound",
            "Duration.ofNanos(sentAt - begunAt)",
            "Duration.ofNanos(quorum.now() - begunAt)",
            "whatVotesTookIsNotAddedToTheLease"),
        quorum(
            "a round that failed is not released",
            "QuorumRound",
            "  private void failed(TokenState tokenState, Throwable failure) {\n"
                + "    quorum.withdraw(tokenState);",
            "  private void failed(TokenState tokenState, Throwable failure) {",
            "aFailedRoundIsReleased"),
        quorum(
            "a grant after the verdict is kept",
            "QuorumRound",
            "} else if (tokenState.giveUp(round)) {\n            quorum.withdraw(tokenState);",
            "} else if (tokenState.giveUp(round)) {",
            "aGrantThatComesLateIsReleased"),
        quorum(
            "a token that was released is used again",
            "TokenStates",
            "known != null || again ? alias(origin) : origin",
            "origin",
            "aTokenThatWasReleasedIsNotUsedAgain"),
        quorum(
            "what a node lost is taken again after a release",
            "TokenState",
            "      if (released) {\n        return false;\n      }\n",
            "",
            "TwiceStories#afterAReleaseNothingIsTakenAgain"),
        quorum(
            "what a node lost is taken again for whoever renews",
            "TokenState",
            "    if (!won) {\n      return; // nothing is known of this grant\n    }\n",
            "",
            "TwiceStories#nothingIsTakenAgainForATokenThatIsNotKnown"),
        quorum(
            "what a node lost is not taken again",
            "RenewalRound",
            "one.tokenState.takeAgain(node);",
            "",
            "whatAQuorumConfirmedIsTakenAgain"));
  }
}
