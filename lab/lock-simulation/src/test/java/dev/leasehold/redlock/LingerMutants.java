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
            "hold/IdleLease",
            "    mine.handOvers++;\n",
            "",
            "idleLeaseIsReused"),
        engine(
            "an idle lease does not count as held",
            "hold/Holds",
            "return here.isEmpty() && idle.isEmpty()",
            "return here.isEmpty()",
            "idleLeaseIsReused"),
        engine(
            "an idle lease has no timer",
            "hold/IdleLease",
            "    mine.watch(until);\n",
            "",
            "idleLeaseIsReleasedInTime"),
        engine(
            "a recall is ignored",
            "hold/Holds",
            "    idle.recalled(lease);\n",
            "",
            "anotherClientRecallsIt"),
        engine(
            "a recalled lease is kept after the hold",
            "lease/Recall",
            "        && !mine.wanted\n",
            "",
            "contendedLeaseIsNotKept"),
        engine(
            "a grant's report of waiters is ignored",
            "lease/Recall",
            "    wanted |= answer.wanted();\n",
            "",
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
            "if (!needed && (!over.isEmpty() || idle.is(lease))) {",
            "if (!needed && !over.isEmpty()) {",
            "reusedLeaseIsRenewed"));
  }

  private static Mutants engine(String what, String file, String from, String to, String story) {
    return one(what, ENGINE + file + ".java", from, to, "LingerStories#" + story);
  }
}
