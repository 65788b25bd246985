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
            "a repeated acquisition of several does not extend their leases",
            "together",
            "redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[1]))",
            "",
            "TogetherStories#repeatedAcquisitionExtendsTheLeases"),
        script(
            "a repeated acquisition shortens a reader's lease",
            "readwrite",
            "if tonumber(ends) < now + ttl then hold(",
            "if true then hold(",
            "ReadWriteStories#repeatedAcquisitionDoesNotShortenAReader"),
        script(
            "a repeated acquisition shortens a writer's lease",
            "readwrite",
            "elseif redis.call('PTTL', KEYS[4]) < ttl then",
            "else",
            "ReadWriteStories#repeatedAcquisitionDoesNotShortenAWriter"),
        script(
            "a majority holder takes the lock from a writer",
            "readwrite",
            "if writer and string.sub(writer, 1, 1) == '+' then redis.call('DEL', KEYS[4]) end",
            "redis.call('DEL', KEYS[4])",
            "ReadWriteStories#majorityHolderTakesNothingFromHolders"),
        script(
            "a majority holder takes the lock from readers",
            "readwrite",
            "if string.sub(reader, 1, 1) == '+' then redis.call('ZREM', KEYS[1], reader) end",
            "redis.call('ZREM', KEYS[1], reader)",
            "ReadWriteStories#majorityHolderTakesNothingFromHolders"),
        script(
            "a node votes half a second early",
            "voters",
            "if left > 0 then",
            "if left > 500 then",
            "GuardStories#nodeVotesNoEarlierThanReported"),
        script(
            "a writer returns numbers that its own reader has exceeded",
            "readwrite-unused",
            "fences[1] == given and fences[2] == given",
            "fences[2] == given",
            "ReadWriteStories#numbersBelowItsOwnReaderAreNotReturned"),
        quorum(
            "the minimum hold ignores the rounds' duration",
            "Quorum",
            "nodeTtl(engineTtl(atLeast)).plus(rounds).plusMillis(1)",
            "nodeTtl(engineTtl(atLeast)).plusMillis(1)",
            "HoldStories#minimumHoldStartsAtTheGrant"),
        quorum(
            "a reacquiring node ignores the rest of the minimum hold",
            "TokenState",
            "key, lifespan.rest(), IfHeld.REFUSE",
            "key, lifespan.ttl(), IfHeld.REFUSE",
            "HoldStories#nodeThatReacquiresKeepsTheMinimumHold"),
        quorum(
            "a lifespan shrinks",
            "Lifespan",
            "end - known.endsAt > 0 ? end : known.endsAt",
            "end",
            "HoldStories#nodeThatReacquiresKeepsTheMinimumHold"),
        quorum(
            "the rest is rounded down",
            "Lifespan",
            "left.plusMillis(1)",
            "left",
            "HoldStories#nodeThatReacquiresKeepsTheMinimumHold"),
        quorum(
            "a pending release lasts a millisecond longer than the lease",
            "Lifespan",
            "SURELY_OVER.plus(known.ttl.dividedBy(10)).toNanos()",
            "1_000_000",
            "HoldStories#lateGrantIsReleasedForLonger"),
        quorum(
            "the minimum hold is a millisecond too short",
            "NodeReleases",
            "rest.plusMillis(1).minusNanos(1).toMillis()",
            "rest.toMillis()",
            "HoldStories#laterReleaseKeepsTheMinimumHold"),
        script(
            "a repeated request does not extend the door",
            "several-acquire",
            "redis.call('ZRANK', KEYS[2], me) <= theirs",
            "redis.call('ZRANK', KEYS[2], me) < theirs",
            "LineStories#repeatedRequestKeepsTheDoor"),
        script(
            "a woken waiter keeps the door",
            "line",
            "if w == door then redis.call('DEL', KEYS[3]) end",
            "",
            "LineStories#wokenWaiterHoldsNoDoor"),
        script(
            "an acquiring waiter keeps the door",
            "several-acquire",
            "if redis.call('GET', KEYS[3]) == me then redis.call('DEL', KEYS[3]) end",
            "",
            "ReadWriteStories#readingWriterLeavesTheQueue"),
        script(
            "an acquiring waiter stays in the queue",
            "several-acquire",
            "redis.pcall('ZREM', KEYS[2], me)",
            "",
            "ReadWriteStories#readingWriterLeavesTheQueue"),
        script(
            "a woken waiter stays in the queue",
            "line",
            "redis.call('ZREM', KEYS[2], w)",
            "",
            "LineStories#wokenWaiterHoldsNoDoor"),
        script(
            "a dead waiter gets a reservation",
            "line",
            "(n > 0 or ways.counts == '0')",
            "(n >= 0 or ways.counts == '0')",
            "LineStories#deadWaiterGetsNoReservation"),
        script(
            "a dead waiter gets a reservation, of a plain lock",
            "pass-on",
            "(n > 0 or ways.counts == '0')",
            "(n >= 0 or ways.counts == '0')",
            "firstListeningWaiterIsWoken"),
        script(
            "a leaving waiter does not pass its reservation on",
            "leave",
            "if v and v ~= '+' .. string.match(ARGV[1], '^[^:]*:?(.*)') then",
            "if v then",
            "leavingPassesTheWakeUpOn"));
  }
}
