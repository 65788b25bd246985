package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.quorum;
import static dev.leasehold.redlock.Mutants.script;

import java.util.List;

/** {@link Mutants} that survived the stories written for the others. */
final class LaterMutants {
  private LaterMutants() {}

  static List<Mutants> all() {
    return List.of(
        script(
            "locks asked for again together that are not prolonged",
            "together",
            "redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[1]))",
            "",
            "TogetherStories#askedAgainTheyAreProlonged"),
        script(
            "a reader asked for again that is shortened",
            "readwrite",
            "if tonumber(ends) < now + ttl then hold(",
            "if true then hold(",
            "ReadWriteStories#askedAgainAReaderIsNotShortened"),
        script(
            "a writer asked for again that is shortened",
            "readwrite",
            "elseif redis.call('PTTL', KEYS[4]) < ttl then",
            "else",
            "ReadWriteStories#askedAgainAWriterIsNotShortened"),
        script(
            "who has most nodes takes the lock from a writer",
            "readwrite",
            "if writer and string.sub(writer, 1, 1) == '+' then redis.call('DEL', KEYS[4]) end",
            "redis.call('DEL', KEYS[4])",
            "ReadWriteStories#whoHasMostNodesTakesNothingFromHolders"),
        script(
            "who has most nodes takes the lock from readers",
            "readwrite",
            "if string.sub(reader, 1, 1) == '+' then redis.call('ZREM', KEYS[1], reader) end",
            "redis.call('ZREM', KEYS[1], reader)",
            "ReadWriteStories#whoHasMostNodesTakesNothingFromHolders"),
        script(
            "a node that votes half a second early",
            "voters",
            "if left > 0 then",
            "if left > 500 then",
            "GuardStories#aNodeVotesNoSoonerThanItSays"),
        script(
            "a writer that gives back numbers that its reader has passed",
            "readwrite-unused",
            "fences[1] == given and fences[2] == given",
            "fences[2] == given",
            "ReadWriteStories#numbersThatItsOwnReaderPassedAreNotGivenBack"),
        quorum(
            "a minimum hold without the rounds",
            "Quorum",
            "nodeTtl(engineTtl(atLeast)).plus(rounds).plusMillis(1)",
            "nodeTtl(engineTtl(atLeast)).plusMillis(1)",
            "HoldStories#aMinimumCountsFromTheGrant"),
        quorum(
            "a node that takes again without the rest",
            "TokenState",
            "key, lifespan.rest(), IfHeld.REFUSE",
            "key, lifespan.ttl(), IfHeld.REFUSE",
            "HoldStories#aNodeThatTakesAgainKeepsTheMinimum"),
        quorum(
            "a lifespan that shrinks",
            "Lifespan",
            "end - known.endsAt > 0 ? end : known.endsAt",
            "end",
            "HoldStories#aNodeThatTakesAgainKeepsTheMinimum"),
        quorum(
            "a rest that is rounded down",
            "Lifespan",
            "left.plusMillis(1)",
            "left",
            "HoldStories#aNodeThatTakesAgainKeepsTheMinimum"),
        quorum(
            "a debt that lasts for a millisecond more than the lease",
            "Lifespan",
            "SURELY_OVER.plus(known.ttl.dividedBy(10)).toNanos()",
            "1_000_000",
            "HoldStories#whoTookItLateIsOwedForLonger"),
        quorum(
            "a minimum that is kept for a millisecond less",
            "NodeReleases",
            "rest.plusMillis(1).minusNanos(1).toMillis()",
            "rest.toMillis()",
            "HoldStories#whoGivesBackLaterKeepsTheMinimum"),
        script(
            "a door that is not prolonged",
            "several-acquire",
            "redis.call('ZRANK', KEYS[2], me) <= theirs",
            "redis.call('ZRANK', KEYS[2], me) < theirs",
            "LineStories#whoAsksAgainKeepsTheDoorShut"),
        script(
            "a door that is kept by who was woken",
            "line",
            "if w == door then redis.call('DEL', KEYS[3]) end",
            "",
            "LineStories#whoWasWokenHoldsNoDoor"),
        script(
            "a door that is kept by its taker",
            "several-acquire",
            "if redis.call('GET', KEYS[3]) == me then redis.call('DEL', KEYS[3]) end",
            "",
            "ReadWriteStories#whoTakesBesideItsOwnLeavesTheLine"),
        script(
            "a taker that stays in line",
            "several-acquire",
            "redis.pcall('ZREM', KEYS[2], me)",
            "",
            "ReadWriteStories#whoTakesBesideItsOwnLeavesTheLine"),
        script(
            "who was woken stays in line",
            "line",
            "redis.call('ZREM', KEYS[2], w)",
            "",
            "LineStories#whoWasWokenHoldsNoDoor"),
        script(
            "a turn that is kept for the dead",
            "line",
            "(n > 0 or ways.counts == '0')",
            "(n >= 0 or ways.counts == '0')",
            "LineStories#aTurnIsNotKeptForTheDead"),
        script(
            "a turn that is kept for the dead, of a plain lock",
            "pass-on",
            "(n > 0 or ways.counts == '0')",
            "(n >= 0 or ways.counts == '0')",
            "theFirstWhoListensIsWoken"),
        script(
            "who leaves passes nothing on",
            "leave",
            "if v and v ~= '+' .. string.match(ARGV[1], '^[^:]*:?(.*)') then",
            "if v then",
            "whoLeavesPassesTheWakeUpOn"));
  }
}
