package dev.leasehold.redlock;

import java.util.List;

/** Mutants of what grants locks in the order of arrival. */
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
        of("a first that waits for itself", "fair", " or w[1] == ARGV[5]", "", "theFirstTakesIt"),
        of(
            "a place that is lost with its turn",
            "fair",
            " or ARGV[7] ~= '0' and tonumber(w[2]) > place",
            "",
            "whoMissedItsTurnIsBeforeWhoCameLater"),
        of(
            "a place by a clock that went back",
            "fair",
            "ARGV[7] ~= '0' and ",
            "",
            "whoComesIsLastAlsoIfTheClockWentBack"),
        of(
            "a store that is waited for again and again",
            "pass-on",
            " and (not slow or fair ~= slow)",
            "",
            "aStoreThatDoesNotComeIsPassed"),
        of(
            "a store that is late for ever",
            "fair",
            "elseif redis.pcall('GET', KEYS[1]) == '+' .. my_token then\n  redis.call('DEL', late)",
            "",
            "aStoreThatComesIsWaitedForAgain"),
        of(
            "a store that is late while it asks",
            "fair",
            " or slow == mine",
            "",
            "whoAsksIsNotLate"),
        of(
            "a node's places by its own clock",
            "fair",
            "(ARGV[8] == '0' and t[1] * 1000000 + t[2] or ARGV[8])",
            "(t[1] * 1000000 + t[2])",
            "aNodesPlacesAreTheProposals"),
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
