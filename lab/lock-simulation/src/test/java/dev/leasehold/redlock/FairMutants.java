package dev.leasehold.redlock;

import java.util.List;

/** Mutants of the fair mode. */
final class FairMutants {
  private FairMutants() {}

  private static Mutants of(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "FairStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        of(
            "a line that is not looked at",
            "fair",
            "if taken then",
            "if false then",
            "whoCameLaterDoesNotPass"),
        of(
            "a lock that is passed on, and taken",
            "fair",
            "taken = passed == 1",
            "",
            "whoCameLaterDoesNotPass"),
        of("a first that waits for itself", "fair", " or w == ARGV[5]", "", "theFirstTakesIt"),
        of(
            "a place that is lost with its turn",
            "fair",
            " or ARGV[14] == '1' and at > place",
            "",
            "whoMissedItsTurnIsBeforeWhoCameLater"),
        of(
            "a place by a clock that went back",
            "fair",
            "ARGV[14] == '1' and ",
            "",
            "whoComesIsLastAlsoIfTheClockWentBack"),
        of(
            "a store that is waited for again and again",
            "fair",
            "if not had_turn(at) then return w, at end",
            "do return w, at end",
            "aStoreThatDoesNotComeIsPassed"),
        of(
            "those that are passed are not told",
            "fair",
            "tell(ways, w)",
            "",
            "aStoreThatDoesNotComeIsPassed"),
        of(
            "a turn that leaves no trace",
            "pass-on",
            "if not had_turn(at) then redis.pcall('ZADD', waiters, string.format('%.1f', at + 0.5),"
                + " w) end",
            "",
            "aStoreThatDoesNotComeIsPassed"),
        of(
            "a store that is late while it asks",
            "fair",
            " or store == string.match(ARGV[5], '^[^:]*')",
            "",
            "aStoreThatAsksLosesOnePlace"),
        of(
            "a quorum's waiters that all lose their places",
            "fair",
            "ARGV[8] ~= '0' or store",
            "store",
            "onANodeOfAQuorumTheOneLosesItsPlace"),
        of(
            "a next that does not listen",
            "pass-on",
            "if tell(ways, w) then return end",
            "do tell(ways, w) return end",
            "theNextThatListensIsTold"),
        of(
            "all of a store are told",
            "pass-on",
            "fair and ways.message .. ' ' .. token or ways.message",
            "ways.message",
            "onlyThoseOfAStoreThatHaveTheirTurnAreTold"),
        of(
            "the next is not told",
            "pass-on",
            "if fair then tell_another(ways, waiters, fair) end",
            "",
            "onlyThoseOfAStoreThatHaveTheirTurnAreTold"),
        of(
            "the next that is told goes with the first",
            "pass-on",
            "other ~= store and ",
            "",
            "onlyThoseOfAStoreThatHaveTheirTurnAreTold"),
        of(
            "a token where nobody knows it",
            "pass-on",
            "string.sub(store, -2) == '.f'",
            "true",
            "othersAreToldTheNameAlone"));
  }
}
