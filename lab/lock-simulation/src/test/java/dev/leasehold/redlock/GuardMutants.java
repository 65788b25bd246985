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
            "a node votes at once",
            "voters",
            "if left > 0 then",
            "if false then",
            "newlyMetNodeDoesNotVote"),
        script(
            "a longer lease is not recorded",
            "voters",
            "    votes_for(voters, now, longest, lists, names)\n    remember",
            "    remember",
            "longerLeaseCountsFromItsVote"),
        script(
            "a vote is recorded for a refused client",
            "vote",
            "if type(first) == 'number' and first > 0 then note_vote() end",
            "note_vote()",
            "refusedRequestRecordsNoVote"),
        script(
            "a longer lease counts for ever",
            "voters",
            "if ends > now then\n      ends = math.min(ends, now + longest",
            "if true then\n      ends = math.min(ends, now + longest",
            "longerLeaseCountsUntilItHasExpired"),
        script(
            "an entering client is not recorded",
            "enter",
            "enters(clients, since, now, longest)",
            "",
            "enteredClientRemainsKnownWithoutItsVote"),
        script(
            "clients that came before the restart was noticed are ignored",
            "voters",
            "if c.since ~= since then",
            "if false then",
            "enteredClientRemainsKnownWithoutItsVote"),
        script(
            "a later client extends the quarantine of others",
            "voters",
            "if c.since ~= since then",
            "if true then",
            "clientWithoutVotesExtendsOnlyItsOwnQuarantine"),
        script(
            "an entered client is known for only one lease",
            "voters",
            "mine.ends = now + 2 * longest + 1000",
            "mine.ends = now + longest + 1000",
            "clientThatEntersAgainInTimeRemainsKnown"),
        script(
            "an entered client is known for ever",
            "voters",
            "if ends > now then\n      ends = math.min(ends, now + 2 * longest",
            "if true then\n      ends = math.min(ends, now + 2 * longest",
            "departedClientIsForgotten"),
        script(
            "an entering client's leases are ignored",
            "enter",
            "if ARGV[3] == '1' then",
            "if false then",
            "enteringClientsLeaseExtendsTheQuarantine"),
        script(
            "an older version's lease is not recorded",
            "voters",
            "if older > 0 and older >= most then",
            "if false then",
            "olderVersionsLeaseCounts"),
        script(
            "an older version's lease is not recorded beside an equal one of ours",
            "voters",
            "older >= most then",
            "older > most then",
            "olderVersionsLeaseCountsBesideOurs"),
        script(
            "our lease counts as an older version's",
            "voters",
            "table.concat(voted), longest - 1",
            "table.concat(voted), longest",
            "longerLeaseCountsUntilItHasExpired"),
        script(
            "an older version learns of no lease",
            "voters",
            "'longest', string.format('%.0f', longest))",
            "'longest', '0')",
            "olderVersionLearnsTheLongestLease"),
        script(
            "a restarted node inherits the time of its former run",
            "enter",
            "is_other(mark, ARGV[1]) and now",
            "not mark[2] and now",
            "restartedNodeHasNoClients"),
        script(
            "a clock step back extends the quarantine by the step",
            "history",
            "if tonumber(since) > now then",
            "if false then",
            "enteringClientNoticesTheClockStepBack"),
        script(
            "each refused vote restarts the quarantine",
            "history",
            "redis.call('HSET', key, 'since', since)",
            "",
            "clockStepBackCausesOneQuarantine"),
        lists(
            "other lists are ignored",
            "voters",
            "if may_be_apart(v.lists, lists) then",
            "if false then",
            "listsWithDisjointMajoritiesAreRefused"),
        lists(
            "every other list is refused",
            "voters",
            "if meet(a, b) then return false end",
            "",
            "listsThatDifferByOneNodeAreAccepted"),
        lists(
            "lists with disjoint majorities are accepted",
            "voters",
            "common_of(count_b, known_b, common) > common",
            "common_of(count_b, known_b, common) >= common",
            "listsWithDisjointMajoritiesAreRefused"),
        lists(
            "an unknown node counts as a voter",
            "voters",
            "    if id ~= '?' then\n      nodes[id] = true\n      known = known + 1\n    end",
            "    nodes[id] = true\n    known = known + 1",
            "unknownNodeHasNotVoted"),
        lists(
            "a node that lost its id does not get it back",
            "enter",
            "local id = mark[7] or ARGV[4]",
            "local id = mark[7] or ''",
            "nodeHasAnIdOnceItVotes"),
        lists(
            "a node has an id before it votes",
            "enter",
            "if id == '' and left == 0 then",
            "if id == '' then",
            "nodeHasAnIdOnceItVotes"));
  }
}
