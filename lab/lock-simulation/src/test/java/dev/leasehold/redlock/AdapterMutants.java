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
            "a writer beside readers",
            "sides-take",
            "elseif ARGV[3] == 'w' or (mode ~= 'read' and not beside) then",
            "elseif mode ~= 'read' and not beside then",
            "aWriterIsAlone"),
        of(
            "a reader beside a writer",
            "sides-take",
            "elseif ARGV[3] == 'w' or (mode ~= 'read' and not beside) then",
            "elseif ARGV[3] == 'w' then",
            "aWriterIsAlone"),
        of(
            "the first reader that leaves frees all",
            "sides-release",
            "redis.call('HDEL', KEYS[1], ARGV[1])",
            "redis.call('DEL', KEYS[1])",
            "aWriterIsAlone"),
        of(
            "beside anybody's write",
            "sides-take",
            "and ARGV[4] ~= '' and has(ARGV[4])",
            "and ARGV[4] ~= ''",
            "oneMayReadBesideItsOwnWrite"),
        of(
            "readers that end with the latest that left",
            "sides",
            "redis.call('PEXPIRE', KEYS[1], math.max(1, longest))",
            "",
            "theKeyLastsForTheLongestReader"),
        of(
            "a side asked for again that is shortened",
            "sides-take",
            "if rest >= -1 and rest <= ttl then",
            "if rest >= -1 then",
            "aSideThatIsAskedForAgainIsNotShortened"),
        of(
            "a renewal of a side that is over",
            "sides-renew",
            "has = redis.call('EXISTS', KEYS[i + 1])",
            "has = 1",
            "renewalsOfSidesReviveNothing"),
        of(
            "a renewal of a side that shortens",
            "sides-renew",
            "and (always or rest < ttl) then redis.call('PEXPIRE', key, math.max(rest, ttl))",
            "then redis.call('PEXPIRE', key, ttl)",
            "renewalsOfSidesDoNotShorten"),
        of(
            "a side without a fence that is kept",
            "sides-drop",
            "  redis.call('DEL', KEYS[4])\n  redis.call('HDEL', KEYS[1], holder)\n",
            "",
            "whatHasNoFenceIsNotTaken"),
        of(
            "one more than there are",
            "permits-take",
            "if shut or free < wanted then",
            "if shut or free + 1 < wanted then",
            "noMoreThanThereAre"),
        of(
            "the dead are not swept",
            "permits",
            "    if rest <= 0 then\n",
            "    if false then\n",
            "whatIsOverIsFreeAndNotSooner"),
        of(
            "permits that end a second too soon",
            "permits-take",
            "local ends = now + ARGV[2] + apart",
            "local ends = now + ARGV[2]",
            "whatIsOverIsFreeAndNotSooner"),
        of(
            "plain permits that end a second too soon",
            "permits",
            "(#id == 16 and apart or -apart)",
            "(#id == 16 and 0 or -apart)",
            "aPlainClientsClockMayBeSlow"),
        of(
            "any number of permits",
            "permits-take",
            "if free and free + held ~= of then return { 0, free + held } end",
            "",
            "allAgreeOnTheNumber"),
        of(
            "a resize by who knows another number",
            "permits-resize",
            "if number and number ~= tonumber(ARGV[1]) and number ~= to then return number end",
            "",
            "allAgreeOnTheNumber"),
        of(
            "a door that is ignored",
            "permits-take",
            "local shut = door and door ~= token",
            "local shut = false",
            "whoWaitsForMoreHoldsTheDoor"),
        of(
            "a door without an end",
            "permits-take",
            "redis.call('SET', KEYS[4], token, 'PX', 2500)",
            "redis.call('SET', KEYS[4], token)",
            "whoWaitsForMoreHoldsTheDoor"),
        of(
            "who leaves keeps the door shut",
            "permits-leave",
            "redis.call('DEL', KEYS[4])",
            "",
            "whoLeavesOpensTheDoor"),
        of(
            "the first permit alone is given back",
            "permits-release",
            "for i = (ARGV[3] or 0) + 1, #ids do",
            "for i = (ARGV[3] or 0) + 1, math.min(1, #ids) do",
            "allPermitsAreGivenBackAndNoOthers"),
        of(
            "a release by anybody frees one",
            "permits-release",
            "if returned > 0 and free then free = redis.call('INCRBY', KEYS[1], returned) end",
            "if free then free = redis.call('INCRBY', KEYS[1], math.max(1, returned)) end",
            "allPermitsAreGivenBackAndNoOthers"),
        of(
            "a renewal of permits that are over",
            "permits-renew",
            "if not ends or ends - apart <= now then return 0 end",
            "if not ends then return 0 end",
            "renewalsReviveNothing"),
        of(
            "a renewal of the first permit alone",
            "permits-renew",
            "    i = i + 1\n",
            "    i = math.huge\n",
            "renewalsAreOfAllPermits"),
        of(
            "a repeated count-down counts twice",
            "latch-count-down",
            "if counted then",
            "if false then",
            "aRepeatedCountDownCountsOnce"),
        of(
            "at zero nobody is told",
            "latch-count-down",
            "<= 0 then\n  redis.call('DEL', KEYS[1])",
            "< 0 then\n  redis.call('DEL', KEYS[1])",
            "atZeroAllAreTold"),
        of(
            "a latch below zero",
            "latch-count-down",
            "if not stored or missing == 0 or not (theirs or left > 0) then return 0 end",
            "",
            "atZeroAllAreTold"),
        of(
            "a latch that is over counts",
            "latch-count-down",
            " or not (theirs or left > 0) then",
            " then",
            "aLatchThatIsOverCountsNothing"),
        of(
            "a latch that is over was at zero",
            "latch-look",
            "redis.call('HSET', KEYS[2], 'missed', text(missing))",
            "",
            "aLatchThatIsOverWasNotAtZero"),
        of(
            "an opened latch is opened anew",
            "latch-open",
            "if theirs or (round and left > 0) then return 0 end",
            "if theirs then return 0 end",
            "anOpenedLatchIsNotOpenedAnew"));
  }
}
