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
            "one permit too many is granted",
            "permits",
            "+ mode <= number",
            "+ mode <= number + 1",
            "noMorePermitsThanExist"),
        kind(
            "expired permits are not removed",
            "permits",
            "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))",
            "",
            "expiredPermitsAreFree"),
        kind(
            "the key expires with the latest holder",
            "permits",
            "mark .. i .. ':' .. token)\n  end\n  if redis.call('PTTL', KEYS[1]) < ttl then",
            "mark .. i .. ':' .. token)\n  end\n  if true then",
            "keyLivesAsLongAsTheLongestLease"),
        kind(
            "the permit count expires with the lease",
            "permits",
            "ARGV[2] + 86400000",
            "ARGV[2]",
            "keyLivesAsLongAsTheLongestLease"),
        kind(
            "a shorter lease shortens the permit count's life",
            "permits",
            "math.max(redis.call('PTTL', KEYS[4]), ARGV[2] + 86400000)",
            "ARGV[2] + 86400000",
            "permitCountLivesLongerThanTheLongestLease"),
        kind(
            "a repeated acquisition shortens the permits",
            "permits",
            "if tonumber(ends) < now + ttl then",
            "if true then",
            "repeatedAcquisitionDoesNotShortenTheLease"),
        kind(
            "an expired lease is renewed",
            "several-renew",
            "if not ends or tonumber(ends) <= now then",
            "if not ends then",
            "renewalDoesNotReviveExpiredPermits"),
        kind(
            "a renewal shortens the permits",
            "several-renew",
            "if tonumber(ends) < now + ttl then",
            "if true then",
            "renewalDoesNotShortenTheLease"),
        kind(
            "only the first permit is renewed",
            "several-renew",
            "    i = i + 1\n",
            "    i = math.huge\n",
            "renewalExtendsAllPermits"),
        kind(
            "the permit count does not outlive a renewal",
            "several-renew",
            "if redis.call('PTTL', beside) < ttl + 86400000 then",
            "if false then",
            "permitCountOutlivesRenewals"),
        kind(
            "only the first permit is released",
            "permits",
            "while redis.call('ZREM', KEYS[1], mark .. i .. ':' .. token) == 1 do i = i + 1 end",
            "redis.call('ZREM', KEYS[1], mark .. i .. ':' .. token)",
            "allPermitsAreReleased"),
        kind(
            "the door is ignored",
            "several-acquire",
            "not mine and not shut and fits(mode)",
            "not mine and fits(mode)",
            "waiterForMorePermitsHoldsTheDoor"),
        kind(
            "no waiter holds the door",
            "several-acquire",
            "redis.call('SET', KEYS[3], me, 'PX', 2500)",
            "",
            "waitingWriterStopsReaders"),
        kind(
            "the door never expires",
            "several-acquire",
            "me, 'PX', 2500)",
            "me)",
            "waiterForMorePermitsHoldsTheDoor"),
        kind(
            "only one of two fitting waiters is woken",
            "line",
            "woke = woke + 1",
            "woke = woke + 1\n          break",
            "asManyWaitersAreWokenAsFit"),
        kind(
            "a waiter that does not fit is woken",
            "line",
            "if fits(mode) then",
            "if true then",
            "waiterThatDoesNotFitIsNotWoken"),
        kind(
            "a woken waiter gets no reservation",
            "line",
            "pcall(hold, mode, token, '+', ways.kept)",
            "",
            "reservationIsForTheWokenWaiter"),
        kind(
            "a reservation outlives its waiter's leaving",
            "several-leave",
            "if mark_of(ARGV[2], ARGV[1]) == '+' then",
            "if false then",
            "leavingPassesTheReservationOn"),
        kind(
            "a different permit count is accepted",
            "permits-number",
            "elseif number ~= tonumber(ARGV[5]) then",
            "elseif false then",
            "differentPermitCountIsRefused"),
        kind(
            "a resize with a wrong expected count is accepted",
            "permits-resize",
            "if number and number ~= tonumber(ARGV[1])",
            "if number and false",
            "differentPermitCountIsRefused"),
        kind(
            "a resize notifies no waiter",
            "permits-resize",
            "redis.pcall(ways.command, ways.prefix .. string.match(w, '^%w+ ([^:]*)'), ways.message)",
            "",
            "resizingNotifiesAllWaiters"),
        kind(
            "a resize does not serve the queue",
            "permits-resize",
            "redis.call('DEL', KEYS[2], KEYS[3])",
            "",
            "resizingNotifiesAllWaiters"),
        kind(
            "a resize ignores holders",
            "permits-resize",
            "number = tonumber(ARGV[2])",
            "number = tonumber(ARGV[2])\nredis.call('ZREMRANGEBYRANK', KEYS[1], number, -1)",
            "smallerCountWaitsForExcessPermits"),
        kind(
            "a writer is granted beside readers",
            "readwrite",
            "and (mode == 'r' or redis.call('ZCARD', KEYS[1]) == 0)",
            "",
            "writerIsExclusive"),
        kind(
            "a reader is granted beside a writer",
            "readwrite",
            "return redis.call('EXISTS', KEYS[4]) == 0 and",
            "return",
            "writerIsExclusive"),
        kind(
            "expired readers are not removed",
            "readwrite",
            "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))",
            "",
            "expiredReaderDoesNotBlock"),
        kind(
            "the readers' key expires with the latest reader",
            "readwrite",
            "if redis.call('PTTL', KEYS[1]) < ttl then",
            "if true then",
            "readersKeyLivesAsLongAsTheLongestLease"),
        kind(
            "a reader is granted beside another owner's write",
            "readwrite",
            "ARGV[5] ~= '' and redis.call('GET', KEYS[4]) == ARGV[5]",
            "ARGV[5] ~= ''",
            "writerMayAlsoRead"),
        kind(
            "another token releases a writer",
            "several-release",
            "if mark then\n  drop(ARGV[2], ARGV[1], mark)",
            "if true then\n  drop(ARGV[2], ARGV[1], mark or '')",
            "writerIsReleasedOnlyByItsToken"),
        kind(
            "a reader's token equals the last writer's",
            "readwrite-fence",
            "v = math.max(written + 1, proposed)",
            "v = math.max(written, proposed)",
            "readersTokenExceedsTheLastWriters"),
        kind(
            "a writer's token ignores readers'",
            "readwrite-fence",
            "v, r = next_numbers(last, time, proposed, asked)",
            "v, r = next_numbers(written, time, proposed, asked)",
            "writersTokenExceedsAllEarlierOnes"),
        kind(
            "a reader's token is not stored",
            "readwrite-fence",
            "last = math.max(last or 0, v)",
            "last = last or 0",
            "writersTokenExceedsAllEarlierOnes"),
        kind(
            "a repeated count-down counts twice",
            "latch-count-down",
            "if redis.call('ZSCORE', KEYS[2], ARGV[1]) then",
            "if false then",
            "repeatedCountDownCountsOnce"),
        kind(
            "a latch below zero",
            "latch-count-down",
            " or count == '0' then",
            " then",
            "repeatedCountDownCountsOnce"),
        kind(
            "no waiter is woken at zero",
            "latch-count-down",
            "if count == '1' then",
            "if count == '0' then",
            "allWaitersAreWokenAtZero"),
        kind(
            "an expired latch is counted down",
            "latch-count-down",
            "left <= 0 or ",
            "",
            "expiredLatchIsNotCountedDown"),
        kind(
            "an open latch is opened again",
            "latch-open",
            "if round and left > 0 then return 0 end",
            "",
            "openLatchIsNotOpenedAgain"),
        kind(
            "two tokens share a slot",
            "slots",
            "if not is_free(slot) then return false end",
            "",
            "slotHasOneToken"),
        kind(
            "a slot's fence does not increase",
            "slots",
            "v, r = next_numbers(last, time, proposed, asked)",
            "v, r = next_numbers(last and last - 1, time, proposed, asked)",
            "tokensOfASlotIncrease"));
  }
}
