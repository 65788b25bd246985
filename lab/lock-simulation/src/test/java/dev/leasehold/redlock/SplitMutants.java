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
            "one message that is always enough",
            "WakeUpCoalescer",
            "patience = longer.compareTo(MOST_PATIENCE) < 0 ? longer : MOST_PATIENCE;",
            "",
            "waitersOfALockDontWakeOneAnotherInVain"),
        script(
            "a lock that is kept from its holder",
            "acquire",
            "tonumber(ARGV[7] or 0) >= 1000000000000000",
            "false",
            "theHolderOfALockTakesTheOthers"),
        script(
            "a side that is kept from its holder",
            "readwrite",
            "if tonumber(ARGV[8]) >= 1000000000000000 then",
            "if false then",
            "theWriterTakesTheOthers"),
        script(
            "what is kept stays so for the holder",
            "readwrite",
            "    keep_nothing_from(mode)\n",
            "",
            "theWriterTakesTheOthers"),
        quorum(
            "who lost a vote wakes others in vain",
            "QuorumRound",
            "boolean isQuiet = quorum.isFair() && asked.ifHeld() == IfHeld.ENQUEUE;",
            "boolean isQuiet = false;",
            "waitersInOrderDontWakeOneAnotherInVain"),
        quorum(
            "who gave back in silence sleeps",
            "QuorumRound",
            "isQuiet ? soon(lost.held()) : lost.held()",
            "lost.held()",
            "whoGaveBackInSilenceLooksAgain"),
        quorum(
            "a holder that stands in the line",
            "TokenState",
            "Duration.ofDays(36_500)",
            "Duration.ZERO",
            "theHolderInOrderTakesTheOthers"),
        Mutants.one(
            "nodes without an order",
            NODE,
            "scripts.isInOrder()\n            ? scripts.voteInOrder",
            "false\n            ? scripts.voteInOrder",
            "SplitStories#whoComesLaterDoesNotPass"));
  }
}
