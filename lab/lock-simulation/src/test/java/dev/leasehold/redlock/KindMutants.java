package dev.leasehold.redlock;

import java.util.List;
import java.util.stream.Stream;

/** {@link Mutants} of the scripts of semaphores, read/write locks and latches. */
final class KindMutants {
  private KindMutants() {}

  private static Mutants kind(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "KindStories#" + story);
  }

  /** Includes those of several locks at once, and of the kinds on Redisson's keys. */
  static List<Mutants> everywhere() {
    return Stream.of(
            all(),
            TogetherMutants.all(),
            TogetherMutants.oneByOne(),
            FairMutants.all(),
            ArrivalMutants.all(),
            SplitMutants.all(),
            AdapterMutants.all())
        .flatMap(List::stream)
        .toList();
  }

  static List<Mutants> all() {
    return List.of(
        kind(
            "one more than there are",
            "permits",
            "+ mode <= number",
            "+ mode <= number + 1",
            "noMoreThanThereAre"),
        kind(
            "the dead are not swept",
            "permits",
            "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))",
            "",
            "ofTheDeadNothingIsHeld"),
        kind(
            "holders that end with the latest that came",
            "permits",
            "mark .. i .. ':' .. token)\n  end\n  if redis.call('PTTL', KEYS[1]) < ttl then",
            "mark .. i .. ':' .. token)\n  end\n  if true then",
            "theKeyLastsForTheLongest"),
        kind(
            "a number that ends with the lease",
            "permits",
            "ARGV[2] + 86400000",
            "ARGV[2]",
            "theKeyLastsForTheLongest"),
        kind(
            "a number that a shorter lease shortens",
            "permits",
            "math.max(redis.call('PTTL', KEYS[4]), ARGV[2] + 86400000)",
            "ARGV[2] + 86400000",
            "theNumberLastsForTheLongest"),
        kind(
            "permits asked for again that are shortened",
            "permits",
            "if tonumber(ends) < now + ttl then",
            "if true then",
            "askedAgainItIsNotShortened"),
        kind(
            "a renewal of what is over",
            "several-renew",
            "if not ends or tonumber(ends) <= now then",
            "if not ends then",
            "renewalsReviveNothing"),
        kind(
            "a renewal of permits that shortens",
            "several-renew",
            "if tonumber(ends) < now + ttl then",
            "if true then",
            "renewalsDoNotShorten"),
        kind(
            "a renewal of the first permit alone",
            "several-renew",
            "    i = i + 1\n",
            "    i = math.huge\n",
            "renewalsAreOfAllPermits"),
        kind(
            "a renewal that the number does not outlast",
            "several-renew",
            "if redis.call('PTTL', beside) < ttl + 86400000 then",
            "if false then",
            "theNumberOutlastsRenewals"),
        kind(
            "the first permit alone is given back",
            "permits",
            "while redis.call('ZREM', KEYS[1], mark .. i .. ':' .. token) == 1 do i = i + 1 end",
            "redis.call('ZREM', KEYS[1], mark .. i .. ':' .. token)",
            "allPermitsAreGivenBack"),
        kind(
            "a door that is ignored",
            "several-acquire",
            "not mine and not shut and fits(mode)",
            "not mine and fits(mode)",
            "whoWaitsForMoreHoldsTheDoor"),
        kind(
            "a door that nobody holds",
            "several-acquire",
            "redis.call('SET', KEYS[3], me, 'PX', 2500)",
            "",
            "aWriterThatWaitsStopsReaders"),
        kind(
            "a door without an end",
            "several-acquire",
            "me, 'PX', 2500)",
            "me)",
            "whoWaitsForMoreHoldsTheDoor"),
        kind(
            "one is woken, and two can go on",
            "line",
            "woke = woke + 1",
            "woke = woke + 1\n          break",
            "asManyAreWokenAsCanGoOn"),
        kind(
            "who can not go on is woken",
            "line",
            "if fits(mode) then",
            "if true then",
            "whoCanNotGoOnIsNotWoken"),
        kind(
            "nothing is kept for who was woken",
            "line",
            "pcall(hold, mode, token, '+', ways.kept)",
            "",
            "whatIsKeptIsForWhoWasWoken"),
        kind(
            "what is kept stays when its waiter leaves",
            "several-leave",
            "if mark_of(ARGV[2], ARGV[1]) == '+' then",
            "if false then",
            "whoLeavesPassesOnWhatIsKept"),
        kind(
            "any number of permits",
            "permits-number",
            "elseif number ~= tonumber(ARGV[5]) then",
            "elseif false then",
            "allAgreeOnTheNumber"),
        kind(
            "a resize by who knows another number",
            "permits-resize",
            "if number and number ~= tonumber(ARGV[1])",
            "if number and false",
            "allAgreeOnTheNumber"),
        kind(
            "a resize that tells nobody",
            "permits-resize",
            "redis.pcall(ways.command, ways.prefix .. string.match(w, '^%w+ ([^:]*)'), ways.message)",
            "",
            "resizingTellsAllWhoWait"),
        kind(
            "a resize that leaves the line as it is",
            "permits-resize",
            "redis.call('DEL', KEYS[2], KEYS[3])",
            "",
            "resizingTellsAllWhoWait"),
        kind(
            "a resize that ignores holders",
            "permits-resize",
            "number = tonumber(ARGV[2])",
            "number = tonumber(ARGV[2])\nredis.call('ZREMRANGEBYRANK', KEYS[1], number, -1)",
            "whatIsHeldBeyondASmallerNumberIsWaitedFor"),
        kind(
            "a writer beside readers",
            "readwrite",
            "and (mode == 'r' or redis.call('ZCARD', KEYS[1]) == 0)",
            "",
            "aWriterIsAlone"),
        kind(
            "a reader beside a writer",
            "readwrite",
            "return redis.call('EXISTS', KEYS[4]) == 0 and",
            "return",
            "aWriterIsAlone"),
        kind(
            "dead readers are not swept",
            "readwrite",
            "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))",
            "",
            "aDeadReaderKeepsNobodyOut"),
        kind(
            "readers that end with the latest that came",
            "readwrite",
            "if redis.call('PTTL', KEYS[1]) < ttl then",
            "if true then",
            "readersLastForTheLongest"),
        kind(
            "beside anybody's write",
            "readwrite",
            "ARGV[5] ~= '' and redis.call('GET', KEYS[4]) == ARGV[5]",
            "ARGV[5] ~= ''",
            "oneMayReadBesideItsOwnWrite"),
        kind(
            "a stranger releases a writer",
            "several-release",
            "if mark then\n  drop(ARGV[2], ARGV[1], mark)",
            "if true then\n  drop(ARGV[2], ARGV[1], mark or '')",
            "strangersReleaseNoWriter"),
        kind(
            "a reader's token that is the last writer's",
            "readwrite-fence",
            "v = math.max(written + 1, proposed)",
            "v = math.max(written, proposed)",
            "aReadersTokenIsAboveTheLastWriters"),
        kind(
            "a writer's token that ignores readers'",
            "readwrite-fence",
            "v, r = next_numbers(last, time, proposed, asked)",
            "v, r = next_numbers(written, time, proposed, asked)",
            "aWritersTokenIsAboveAllBefore"),
        kind(
            "a reader's token that is not kept",
            "readwrite-fence",
            "last = math.max(last or 0, v)",
            "last = last or 0",
            "aWritersTokenIsAboveAllBefore"),
        kind(
            "a repeated count-down counts twice",
            "latch-count-down",
            "if redis.call('ZSCORE', KEYS[2], ARGV[1]) then",
            "if false then",
            "aRepeatedCountDownCountsOnce"),
        kind(
            "a latch below zero",
            "latch-count-down",
            " or count == '0' then",
            " then",
            "aRepeatedCountDownCountsOnce"),
        kind(
            "at zero nobody is woken",
            "latch-count-down",
            "if count == '1' then",
            "if count == '0' then",
            "atZeroAllAreWoken"),
        kind(
            "a latch that is over counts",
            "latch-count-down",
            "left <= 0 or ",
            "",
            "aLatchThatIsOverCountsNothing"),
        kind(
            "an opened latch is opened anew",
            "latch-open",
            "if round and left > 0 then return 0 end",
            "",
            "anOpenedLatchIsNotOpenedAnew"),
        kind(
            "a slot of two",
            "slots",
            "if not is_free(slot) then return false end",
            "",
            "aSlotIsOneTokens"),
        kind(
            "a slot's fence without + 1",
            "slots",
            "v, r = next_numbers(last, time, proposed, asked)",
            "v, r = next_numbers(last and last - 1, time, proposed, asked)",
            "tokensOfASlotGrow"));
  }
}
