package dev.leasehold.redlock;

import java.util.List;

/** {@link Mutants} of the scripts of kinds on Redisson's keys. */
final class AdapterMutants {
  private static final String SCRIPTS =
      "lock-redisson-adapter/src/main/resources/dev/leasehold/redisson/";

  private AdapterMutants() {}

  private static Mutants of(String what, String file, String from, String to, String story) {
    return Mutants.one(what, SCRIPTS + file + ".lua", from, to, "AdapterStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        of(
            "a writer is granted beside readers",
            "sides-take",
            "elseif ARGV[3] == 'w' or (mode ~= 'read' and not beside) then",
            "elseif mode ~= 'read' and not beside then",
            "writerIsExclusive"),
        of(
            "a reader is granted beside a writer",
            "sides-take",
            "elseif ARGV[3] == 'w' or (mode ~= 'read' and not beside) then",
            "elseif ARGV[3] == 'w' then",
            "writerIsExclusive"),
        of(
            "the first leaving reader frees all",
            "sides-release",
            "redis.call('HDEL', KEYS[1], ARGV[1])",
            "redis.call('DEL', KEYS[1])",
            "writerIsExclusive"),
        of(
            "a reader is granted beside another owner's write",
            "sides-take",
            "and ARGV[4] ~= '' and has(ARGV[4])",
            "and ARGV[4] ~= ''",
            "writerMayAlsoRead"),
        of(
            "the readers' key expires with the latest release",
            "sides",
            "redis.call('PEXPIRE', KEYS[1], math.max(1, longest))",
            "",
            "keyLivesAsLongAsTheLongestReader"),
        of(
            "a repeated acquisition shortens a side",
            "sides-take",
            "if rest >= -1 and rest <= ttl then",
            "if rest >= -1 then",
            "repeatedAcquisitionDoesNotShortenASide"),
        of(
            "an expired side is renewed",
            "sides-renew",
            "has = redis.call('EXISTS', KEYS[i + 1])",
            "has = 1",
            "renewalDoesNotReviveAnExpiredSide"),
        of(
            "a renewal shortens a side",
            "sides-renew",
            "and (always or rest < ttl) then redis.call('PEXPIRE', key, math.max(rest, ttl))",
            "then redis.call('PEXPIRE', key, ttl)",
            "renewalDoesNotShortenASide"),
        of(
            "a side is kept despite an invalid fence",
            "sides-drop",
            "  redis.call('DEL', KEYS[4])\n  redis.call('HDEL', KEYS[1], holder)\n",
            "",
            "invalidFenceRefusesTheLock"),
        of(
            "one permit too many is granted",
            "permits-take",
            "if shut or free < wanted then",
            "if shut or free + 1 < wanted then",
            "noMorePermitsThanExist"),
        of(
            "expired permits are not removed",
            "permits",
            "    if rest <= 0 then\n",
            "    if false then\n",
            "permitIsFreeWhenItExpiresAndNotEarlier"),
        of(
            "permits expire a second too early",
            "permits-take",
            "local ends = now + ARGV[2] + apart",
            "local ends = now + ARGV[2]",
            "permitIsFreeWhenItExpiresAndNotEarlier"),
        of(
            "plain clients' permits expire a second too early",
            "permits",
            "(#id == 16 and apart or -apart)",
            "(#id == 16 and 0 or -apart)",
            "plainClientsClockMayBeSlow"),
        of(
            "a different permit count is accepted",
            "permits-take",
            "if free and free + held ~= of then return { 0, free + held } end",
            "",
            "differentPermitCountIsRefused"),
        of(
            "a resize with a wrong expected count is accepted",
            "permits-resize",
            "if number and number ~= tonumber(ARGV[1]) and number ~= to then return number end",
            "",
            "differentPermitCountIsRefused"),
        of(
            "the door is ignored",
            "permits-take",
            "local shut = door and door ~= token",
            "local shut = false",
            "waiterForMorePermitsHoldsTheDoor"),
        of(
            "the door never expires",
            "permits-take",
            "redis.call('SET', KEYS[4], token, 'PX', 2500)",
            "redis.call('SET', KEYS[4], token)",
            "waiterForMorePermitsHoldsTheDoor"),
        of(
            "a leaving waiter keeps the door",
            "permits-leave",
            "redis.call('DEL', KEYS[4])",
            "",
            "leavingOpensTheDoor"),
        of(
            "only the first permit is released",
            "permits-release",
            "for i = (ARGV[3] or 0) + 1, #ids do",
            "for i = (ARGV[3] or 0) + 1, math.min(1, #ids) do",
            "onlyItsOwnPermitsAreReleased"),
        of(
            "any token releases a permit",
            "permits-release",
            "if returned > 0 and free then free = redis.call('INCRBY', KEYS[1], returned) end",
            "if free then free = redis.call('INCRBY', KEYS[1], math.max(1, returned)) end",
            "onlyItsOwnPermitsAreReleased"),
        of(
            "expired permits are renewed",
            "permits-renew",
            "if not ends or ends - apart <= now then return 0 end",
            "if not ends then return 0 end",
            "renewalDoesNotReviveExpiredPermits"),
        of(
            "only the first permit is renewed",
            "permits-renew",
            "    i = i + 1\n",
            "    i = math.huge\n",
            "renewalExtendsAllPermits"),
        of(
            "a repeated count-down counts twice",
            "latch-count-down",
            "if counted then",
            "if false then",
            "repeatedCountDownCountsOnce"),
        of(
            "no waiter is notified at zero",
            "latch-count-down",
            "<= 0 then\n  redis.call('DEL', KEYS[1])",
            "< 0 then\n  redis.call('DEL', KEYS[1])",
            "allWaitersAreNotifiedAtZero"),
        of(
            "a latch below zero",
            "latch-count-down",
            "if not stored or missing == 0 or not (theirs or left > 0) then return 0 end",
            "",
            "allWaitersAreNotifiedAtZero"),
        of(
            "an expired latch is counted down",
            "latch-count-down",
            " or not (theirs or left > 0) then",
            " then",
            "expiredLatchIsNotCountedDown"),
        of(
            "an expired latch counts as passed",
            "latch-look",
            "redis.call('HSET', KEYS[2], 'missed', text(missing))",
            "",
            "expiredLatchDidNotReachZero"),
        of(
            "an open latch is opened again",
            "latch-open",
            "if theirs or (round and left > 0) then return 0 end",
            "if theirs then return 0 end",
            "openLatchIsNotOpenedAgain"));
  }
}
