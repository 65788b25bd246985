package dev.leasehold.redlock;

import java.util.List;

/** Mutants of the order of arrival on a quorum. */
final class ArrivalMutants {
  private ArrivalMutants() {}

  private static Mutants quorum(String what, String file, String from, String to, String story) {
    return Mutants.quorum(what, file, from, to, "ArrivalStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        quorum(
            "places follow the fences that a client has seen",
            "QuorumRound",
            "place(ahead)",
            "OptionalLong.empty()",
            "clockAheadMovesNoWaiterBack"),
        quorum(
            "no place is proposed if no fence was seen",
            "QuorumRound",
            ": Math.max(proposal, ahead.getAsLong() + ArrivalClock.micros(sentAt));",
            ": proposal;",
            "firstRequestHasOnePlaceOnAllNodes"),
        quorum(
            "places follow the fastest clock",
            "ArrivalClock",
            "sorted.get((sorted.size() - 1) / 2)",
            "sorted.get(sorted.size() - 1)",
            "unreachableWrongClockGivesNoAdvantage"),
        quorum(
            "places follow the first nodes that answer",
            "ArrivalClock",
            "answers.isLast() ? Optional.of(answers)",
            "quorum.voteCount().enough(answers).isPresent() ? Optional.of(answers)",
            "clockBehindMovesNoWaiterForward"));
  }
}
