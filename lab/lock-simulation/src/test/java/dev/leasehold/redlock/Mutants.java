package dev.leasehold.redlock;

import java.util.List;
import java.util.stream.Stream;

/**
 * Mutants of the production code, with one fault each, and the stories that find them. {@link
 * MutantsTest} creates each and checks that it is found. {@code MUTANTS.md} of this module is this
 * table.
 *
 * @param what the fault
 * @param edits that introduce it
 * @param story that fails because of it, and passes otherwise: a method of a class of stories, such
 *     as {@link ScriptStories}
 */
record Mutants(String what, List<Edit> edits, String story) {
  private static final String COMMON =
      "lock-redis-common/src/main/resources/dev/leasehold/redis/common/";
  static final String ENGINE = "lock-api/src/main/java/dev/leasehold/lock/internal/";
  private static final String QUORUM = "lock-redlock/src/main/java/dev/leasehold/redlock/";

  static Mutants script(String what, String file, String from, String to, String story) {
    return one(what, COMMON + file + ".lua", from, to, in("ScriptStories#", story));
  }

  private static Mutants engine(String what, String file, String from, String to, String story) {
    return one(what, ENGINE + file + ".java", from, to, in("EngineStories#", story));
  }

  static Mutants quorum(String what, String file, String from, String to, String story) {
    return one(what, QUORUM + file + ".java", from, to, in("QuorumStories#", story));
  }

  /** A story of the default class, or of the class it names. */
  private static String in(String usual, String story) {
    return story.contains("#") ? story : usual + story;
  }

  static Mutants one(String what, String file, String from, String to, String story) {
    return new Mutants(what, List.of(new Edit(file, from, to)), story);
  }

  @Override
  public String toString() {
    return what;
  }

  /** The file's name. */
  String where() {
    return edits.get(0).file().substring(edits.get(0).file().lastIndexOf('/') + 1);
  }

  /** Mutants that survived all earlier tests. */
  static List<Mutants> lived() {
    return List.of(
        script(
            "a fence without + 1",
            "numbers",
            "math.max((last or 0) + 1, now, proposed)",
            "math.max(last or 0, now, proposed)",
            "fencesGrowThoughTheClockStandsStill"),
        script(
            "a raise that may lower",
            "raise",
            "if last < v + r then",
            "if true then",
            "fencesAreNotLowered"),
        script(
            "a repeated question that shortens",
            "acquire",
            "math.max(redis.call('PTTL', KEYS[1]), ARGV[2])",
            "ARGV[2]",
            "askedAgainItIsNotShortened"),
        script(
            "a proposal that is not cut",
            "fence",
            "proposed = not_ahead(proposed, now)",
            "",
            "proposalsAreCut"),
        quorum(
            "the verdict on what was written back is ignored",
            "QuorumRound",
            "answer == RenewResult.RENEWED && isValid(sentAt)",
            "isValid(sentAt)",
            "whatIsWrittenBackCountsOnceAQuorumHasIt"),
        quorum(
            "winning after a release",
            "TokenState",
            "won = !released;",
            "won = true;",
            "whatIsReleasedMeanwhileIsNotWon"),
        quorum(
            "taking again what no quorum confirmed",
            "RenewalRound",
            "if (outcome == RenewResult.RENEWED) {",
            "if (outcome != null) {",
            "onlyWhatAQuorumConfirmedIsTakenAgain"),
        quorum(
            "a silent node's debt is forgiven",
            "TokenState",
            "return !mayTakeYet(node) && lifespan.isSurelyOver",
            "return lifespan.isSurelyOver",
            "whoWasSilentIsOwedUntilItAnswers"),
        quorum(
            "pending releases that expire early",
            "Lifespan",
            "return now - known.endsAt > SURELY_OVER.plus(known.ttl.dividedBy(10)).toNanos();",
            "return now - known.endsAt > -known.ttl.toNanos() / 2;",
            "whoIsAwayIsOwedForAsLongAsTheLeaseLasts"),
        script(
            "a guard that ignores the run id",
            "history",
            "return mark[1] ~= run or not mark[2]",
            "return not mark[2]",
            "GuardStories#anotherRunDoesNotVote"),
        quorum(
            "nodes' longest lease without the drift",
            "RedlockBackend",
            "        .plus(policy.driftAllowance(longest).multipliedBy(2))\n"
                + "        .plus(policy.nodeTimeout(longest).multipliedBy(3));",
            "        ;",
            "nodesBearTheLongestLeaseWithItsDrift"));
  }

  /** Further mutants of scripts. */
  static List<Mutants> scripts() {
    return List.of(
        script(
            "a fence that only counts",
            "numbers",
            "math.max((last or 0) + 1, now, proposed)",
            "math.max((last or 0) + 1, proposed)",
            "fencesFollowTheClock"),
        script(
            "a fence that is not kept",
            "fence",
            "redis.call('SET', KEYS[2], text, 'PX', fence_ttl)",
            "",
            "fencesAreKept"),
        script(
            "a proposal that is ignored",
            "acquire",
            "local proposed = tonumber(ARGV[8] or 0)",
            "local proposed = 0",
            "proposalsAreTaken"),
        script(
            "a repeated question that draws a fence",
            "fence",
            "if taken or not last or proposed > last then",
            "taken = true\nif taken or not last or proposed > last then",
            "askedAgainItKeepsItsFence"),
        script("a lock without an end", "take-set", "'NX', 'PX', ARGV[2])", "'NX')", "leasesEnd"),
        script(
            "a lock by SETNX without an end",
            "take-setnx",
            "if taken then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
            "",
            "leasesEnd"),
        script(
            "a lock that is taken from its holder",
            "take-set",
            "'NX', 'PX'",
            "'PX'",
            "othersAreRefused"),
        script(
            "a later question loses its place",
            "acquire",
            "t[1] * 1000000 + t[2] - ARGV[7]",
            "t[1] * 1000000 + t[2]",
            "whoAsksAgainKeepsItsPlace"),
        script(
            "on a quorum a place that was told too late stays",
            "acquire",
            "'LT'",
            "'NX'",
            "ofTwoPlacesOnAQuorumTheEarlierCounts"),
        script(
            "on a quorum who waited is no earlier",
            "acquire",
            "at = proposed - ARGV[7]",
            "at = proposed",
            "ofTwoPlacesOnAQuorumTheEarlierCounts"),
        script(
            "who has the lock stays in line",
            "acquire",
            "redis.pcall('ZREM', KEYS[3], ARGV[5])",
            "",
            "whoHasItLeavesTheLine"),
        script(
            "who leaves stays in line",
            "leave",
            "redis.call('ZREM', KEYS[2], ARGV[1])",
            "",
            "whoLeavesIsOutOfLine"),
        script(
            "a renewal of another's lease",
            "renew",
            "elseif v ~= ARGV[2 * i - 1] then",
            "elseif not v then",
            "onlyItsOwnIsRenewed"),
        script(
            "a renewal that shortens",
            "renew",
            "math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i])",
            "ARGV[2 * i]",
            "renewalsDoNotShorten"),
        script(
            "a renewal that does nothing",
            "renew",
            "redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i]))",
            "",
            "renewalsLast"),
        script(
            "a raise for who does not hold the lock",
            "holds",
            "if redis.call('GET', KEYS[1]) ~= ARGV[1] then",
            "if false then",
            "onlyTheHolderRaises"),
        script(
            "a raise that does nothing",
            "raise",
            "redis.call('SET', KEYS[2], fence_text(v, r, is_marked(fence)), 'PX', fence_ttl)",
            "",
            "raisedFencesAreKept"),
        script(
            "a run that is not kept",
            "fence",
            "local text = fence_text(v, r, marked)",
            "local text = fence_text(v, 0, marked)",
            "laterFencesFollowARun"),
        script(
            "a run that is not cut",
            "numbers",
            "math.min(asked, now + 1000000 - v, most - 1 - v)",
            "asked",
            "runsAreCut"),
        script(
            "a repeated question that gets a run",
            "fence",
            "v = math.max(last, proposed)",
            "v, r = math.max(last, proposed), asked",
            "askedAgainItHasNoRun"),
        script(
            "numbers that are not given back",
            "unused",
            "redis.pcall('SET', KEYS[#KEYS], used, 'PX', fence_ttl)",
            "",
            "unusedNumbersAreGivenBack"),
        script(
            "numbers that are given back blindly",
            "unused",
            "if last_number(given) == tonumber(ARGV[#ARGV]) then",
            "if true then",
            "whatWasGivenSinceIsNotGivenBack"));
  }

  /** Further mutants of the engine. */
  static List<Mutants> engines() {
    return List.of(
        engine(
            "no allowance for drift",
            "calls/Drift",
            "return sent + nanos - nanos / PART - FIXED_NANOS;",
            "return sent + nanos;",
            "leasesAreShorterByTheDrift"),
        engine(
            "a lease that counts from its answer",
            "acquire/AcquireLoop",
            "Drift.deadline(sentAt, granted.ttl())",
            "Drift.deadline(monitor.now(), granted.ttl())",
            "leasesCountFromBeforeTheQuestion"),
        engine(
            "a renewal that counts from its answer",
            "lease/RemoteLease",
            "Drift.deadline(sentAt, ttl)",
            "Drift.deadline(monitor.now(), ttl)",
            "renewalsCountFromBeforeTheQuestion"),
        engine(
            "a renewal that failed moves the deadline",
            "lease/RemoteLease",
            "if (answer != RenewResult.RENEWED) {",
            "if (answer == RenewResult.NOT_OWNER) {",
            "whatIsNotRenewedIsLost"),
        engine(
            "a renewal that was refused moves the deadline",
            "lease/RemoteLease",
            "if (answer != RenewResult.RENEWED) {",
            "if (answer == null) {",
            "whatOthersTookIsLost"),
        engine(
            "a hand-over with the same token",
            "hold/HandOvers",
            "lease.handOvers++;",
            "",
            "tokensGrowByHandOver"),
        engine(
            "a grant after a later one counts",
            "acquire/AcquireLoop",
            "if (holds.supersedes(lease)) {",
            "if (false) {",
            "TwiceStories#aGrantThatALaterOneOvertookIsNone"),
        engine(
            "a hand-over without a number",
            "lease/RemoteLease",
            "        && hasNumber()\n",
            "",
            "tokensAreSetAside"),
        engine(
            "who gave up is not released",
            "acquire/RequestState",
            "new Effect.Withdraw(queued, mayHold)",
            "new Effect.Withdraw(queued, false)",
            "whatWasNotAnsweredIsReleased"));
  }

  /** All mutants. */
  static List<Mutants> all() {
    Stream<Mutants> twice = Redundant.all().stream().map(Redundant::alone);
    Stream<Mutants> once =
        Stream.of(
                lived(),
                LaterMutants.all(),
                LingerMutants.all(),
                GoneMutants.all(),
                scripts(),
                GuardMutants.all(),
                KindMutants.everywhere(),
                engines(),
                QuorumMutants.all())
            .flatMap(List::stream);
    return Stream.concat(once, twice).toList();
  }
}
