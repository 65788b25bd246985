package dev.leasehold.redlock;

import java.util.List;

/** Mutants of the scripts that stop a node from voting if it may have lost locks. */
final class GuardMutants {
  private GuardMutants() {}

  private static Mutants script(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "GuardStories#" + story);
  }

  private static Mutants lists(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "ListStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        script(
            "a node that votes at once",
            "voters",
            "if left > 0 then",
            "if false then",
            "aRunThatWasJustMetDoesNotVote"),
        script(
            "a longer lease is not noted",
            "voters",
            "    votes_for(voters, now, longest, lists, names)\n    remember",
            "    remember",
            "aLongerLeaseCountsFromAVote"),
        script(
            "a vote is noted of a client that gets none",
            "vote",
            "if type(first) == 'number' and first > 0 then note_vote() end",
            "note_vote()",
            "aRefusedRequestNotesNoVote"),
        script(
            "a longer lease counts for ever",
            "voters",
            "if ends > now then\n      ends = math.min(ends, now + longest",
            "if true then\n      ends = math.min(ends, now + longest",
            "aLongerLeaseCountsUntilItMustBeOver"),
        script(
            "who enters is not noted",
            "enter",
            "enters(clients, since, now, longest)",
            "",
            "whoEnteredIsKnownThoughItsVoteIsForgotten"),
        script(
            "who came before this run was met is not counted",
            "voters",
            "if c.since ~= since then",
            "if false then",
            "whoEnteredIsKnownThoughItsVoteIsForgotten"),
        script(
            "who comes later stops others",
            "voters",
            "if c.since ~= since then",
            "if true then",
            "whoOnlyEnteredKeepsOnlyItselfOut"),
        script(
            "who entered is known for as long as it may keep a lease",
            "voters",
            "mine.ends = now + 2 * longest + 1000",
            "mine.ends = now + longest + 1000",
            "whoEntersAgainInTimeIsKnown"),
        script(
            "who entered is known for ever",
            "voters",
            "if ends > now then\n      ends = math.min(ends, now + 2 * longest",
            "if true then\n      ends = math.min(ends, now + 2 * longest",
            "whoCameAndWentIsForgotten"),
        script(
            "who may hold locks is not heard when it enters",
            "enter",
            "if ARGV[3] == '1' then",
            "if false then",
            "whoseLocksMayBeForgottenIsHeardWhenItEnters"),
        script(
            "an older version's lease is not noted",
            "voters",
            "if older > 0 and older >= most then",
            "if false then",
            "anOlderVersionsLeaseCounts"),
        script(
            "an older version's lease is not noted beside one of ours that is as long",
            "voters",
            "older >= most then",
            "older > most then",
            "anOlderVersionsLeaseCountsBesideOurs"),
        script(
            "ours is taken for an older version's",
            "voters",
            "table.concat(voted), longest - 1",
            "table.concat(voted), longest",
            "aLongerLeaseCountsUntilItMustBeOver"),
        script(
            "an older version is told of no lease",
            "voters",
            "'longest', string.format('%.0f', longest))",
            "'longest', '0')",
            "anOlderVersionIsToldTheLongest"),
        script(
            "a new run inherits the time of the one before",
            "enter",
            "is_other(mark, ARGV[1]) and now",
            "not mark[2] and now",
            "enteringStartsAnewForAnotherRun"),
        script(
            "a clock that was set back keeps a node out for the step",
            "history",
            "if tonumber(since) > now then",
            "if false then",
            "aClientThatEntersSeesThatTheClockWasSetBack"),
        script(
            "each vote that is refused begins the stay anew",
            "history",
            "redis.call('HSET', key, 'since', since)",
            "",
            "aClockThatWasSetBackKeepsItOutForOneStay"),
        lists(
            "another list is not looked at",
            "voters",
            "if may_be_apart(v.lists, lists) then",
            "if false then",
            "listsWhoseMajoritiesMayBeApartAreRefused"),
        lists(
            "each other list is refused",
            "voters",
            "if meet(a, b) then return false end",
            "",
            "listsThatDifferByOneNodeAreNot"),
        lists(
            "lists with a majority too few in common",
            "voters",
            "common_of(count_b, known_b, common) > common",
            "common_of(count_b, known_b, common) >= common",
            "listsWhoseMajoritiesMayBeApartAreRefused"),
        lists(
            "a node that is not known counts as a voter",
            "voters",
            "    if id ~= '?' then\n      nodes[id] = true\n      known = known + 1\n    end",
            "    nodes[id] = true\n    known = known + 1",
            "aNodeThatIsNotKnownHasNotVoted"),
        lists(
            "a node that has forgotten its id does not get it back",
            "enter",
            "local id = mark[7] or ARGV[4]",
            "local id = mark[7] or ''",
            "aNodeHasAnIdOnceItVotes"),
        lists(
            "a node has an id before it votes",
            "enter",
            "if id == '' and left == 0 then",
            "if id == '' then",
            "aNodeHasAnIdOnceItVotes"));
  }
}
