package dev.leasehold.redlock;

import java.util.List;

/** Mutants of split votes, and of lines that differ between nodes. */
final class SplitMutants {
  private static final String NODE =
      "lock-redis-common/src/main/java/dev/leasehold/redis/common/FencedNode.java";

  private SplitMutants() {}

  private static Mutants quorum(String what, String file, String from, String to, String story) {
    return Mutants.quorum(what, file, from, to, "SplitStories#" + story);
  }

  private static Mutants script(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "SplitStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        quorum(
            "one wake-up always suffices",
            "WakeUpCoalescer",
            "patience = longer.compareTo(MOST_PATIENCE) < 0 ? longer : MOST_PATIENCE;",
            "",
            "waitersOfALockDoNotWakeEachOtherInVain"),
        script(
            "a reservation stops the majority holder",
            "acquire",
            "tonumber(ARGV[7] or 0) >= 1000000000000000",
            "false",
            "majorityHolderTakesReservedNodes"),
        script(
            "a reservation stops the majority holder of a side",
            "readwrite",
            "if tonumber(ARGV[8]) >= 1000000000000000 then",
            "if false then",
            "majorityWriterTakesReservedNodes"),
        script(
            "a reservation is not replaced by the majority holder",
            "readwrite",
            "    keep_nothing_from(mode)\n",
            "",
            "majorityWriterTakesReservedNodes"),
        quorum(
            "a client that lost a vote wakes others in vain",
            "QuorumRound",
            "boolean isQuiet = quorum.isFair() && asked.ifHeld() == IfHeld.ENQUEUE;",
            "boolean isQuiet = false;",
            "fairWaitersDoNotWakeEachOtherInVain"),
        quorum(
            "a client that released quietly does not ask again",
            "QuorumRound",
            "isQuiet ? soon(lost.held()) : lost.held()",
            "lost.held()",
            "quietReleaseIsFollowedByALook"),
        quorum(
            "a holder stays in the queue of a node",
            "TokenState",
            "Duration.ofDays(36_500)",
            "Duration.ZERO",
            "fairMajorityHolderTakesReservedNodes"),
        Mutants.one(
            "nodes ignore the order of arrival",
            NODE,
            "scripts.publishes(request)\n            ? scripts.vote",
            "false\n            ? scripts.vote",
            "SplitStories#laterArrivalDoesNotOvertake"));
  }
}
