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
            "a lease taken again with the same number",
            "hold/IdleLease",
            "    mine.handOvers++;\n",
            "",
            "aLeaseIsTakenAgain"),
        engine(
            "a kept lease that the name does not count",
            "hold/Holds",
            "return here.isEmpty() && idle.isEmpty()",
            "return here.isEmpty()",
            "aLeaseIsTakenAgain"),
        engine(
            "a kept lease without a timer",
            "hold/IdleLease",
            "    mine.watch(until);\n",
            "",
            "itIsGivenBackInTime"),
        engine(
            "a recall that is ignored",
            "hold/Holds",
            "    idle.recalled(lease);\n",
            "",
            "anotherClientGetsIt"),
        engine(
            "a recalled lease that is kept after the hold",
            "lease/Recall",
            "        && !mine.wanted\n",
            "",
            "whatOthersWantIsNotKept"),
        engine(
            "a grant whose word of waiters is ignored",
            "lease/Recall",
            "    wanted |= answer.wanted();\n",
            "",
            "aGrantTellsThatOthersWait"),
        engine(
            "more numbers than the store has reserved",
            "lease/RemoteLease",
            ": granted.handOvers();",
            ": granted.handOvers() + 100;",
            "numbersAreNeverUsedTwice"),
        engine(
            "a kept lease that is renewed no more when it is taken again",
            "hold/LeaseExtension",
            "if (!needed && (!over.isEmpty() || idle.is(lease))) {",
            "if (!needed && !over.isEmpty()) {",
            "takenAgainItIsRenewed"));
  }

  private static Mutants engine(String what, String file, String from, String to, String story) {
    return one(what, ENGINE + file + ".java", from, to, "LingerStories#" + story);
  }
}
