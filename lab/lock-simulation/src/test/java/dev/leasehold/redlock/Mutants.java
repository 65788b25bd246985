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
            "the fence does not increase",
            "numbers",
            "math.max((last or 0) + 1, now, proposed)",
            "math.max(last or 0, now, proposed)",
            "fencesIncreaseWhileTheClockStandsStill"),
        script(
            "a raise lowers the fence",
            "raise",
            "if last < v + r then",
            "if true then",
            "raiseDoesNotLowerTheFence"),
        script(
            "a repeated acquisition shortens the lease",
            "acquire",
            "math.max(redis.call('PTTL', KEYS[1]), ARGV[2])",
            "ARGV[2]",
            "repeatedAcquisitionDoesNotShortenTheLease"),
        script(
            "a proposed fence is not capped",
            "fence",
            "proposed = not_ahead(proposed, now)",
            "",
            "proposedFenceIsCapped"),
        quorum(
            "the write-back of the token need not reach a quorum",
            "QuorumRound",
            "answer == RenewResult.RENEWED && isValid(sentAt)",
            "isValid(sentAt)",
            "writtenBackTokenCountsOnceAQuorumHasIt"),
        quorum(
            "a released token wins",
            "TokenState",
            "won = !released;",
            "won = true;",
            "releasedTokenDoesNotWin"),
        quorum(
            "an unconfirmed token is reacquired",
            "RenewalRound",
            "if (outcome == RenewResult.RENEWED) {",
            "if (outcome != null) {",
            "unconfirmedTokenIsNotReacquired"),
        quorum(
            "a silent node is not released",
            "TokenState",
            "return !mayTakeYet(node) && lifespan.isSurelyOver",
            "return lifespan.isSurelyOver",
            "silentNodeIsReleasedUntilItAnswers"),
        quorum(
            "pending releases expire early",
            "Lifespan",
            "return now - known.endsAt > SURELY_OVER.plus(known.ttl.dividedBy(10)).toNanos();",
            "return now - known.endsAt > -known.ttl.toNanos() / 2;",
            "absentNodeIsReleasedWhileTheLeaseLasts"),
        script(
            "the run id is ignored",
            "history",
            "return mark[1] ~= run or not mark[2]",
            "return not mark[2]",
            "GuardStories#restartedNodeDoesNotVote"),
        quorum(
            "nodes' longest lease lacks the drift",
            "RedlockBackend",
            "        .plus(policy.driftAllowance(longest).multipliedBy(2))\n"
                + "        .plus(policy.nodeTimeout(longest).multipliedBy(3));",
            "        ;",
            "nodesAllowTheLongestLeaseWithDrift"));
  }

  /** Further mutants of scripts. */
  static List<Mutants> scripts() {
    return List.of(
        script(
            "the fence ignores the clock",
            "numbers",
            "math.max((last or 0) + 1, now, proposed)",
            "math.max((last or 0) + 1, proposed)",
            "fencesFollowTheClock"),
        script(
            "the fence is not stored",
            "fence",
            "redis.call('SET', KEYS[2], text, 'PX', fence_ttl)",
            "",
            "fenceIsStoredForADay"),
        script(
            "a proposed fence is ignored",
            "acquire",
            "local proposed = tonumber(ARGV[8] or 0)",
            "local proposed = 0",
            "proposedFenceIsUsed"),
        script(
            "a repeated acquisition draws a fence",
            "fence",
            "if taken or not last or proposed > last then",
            "taken = true\nif taken or not last or proposed > last then",
            "repeatedAcquisitionKeepsItsFence"),
        script("a lock has no expiry", "take-set", "'NX', 'PX', ARGV[2])", "'NX')", "leaseExpires"),
        script(
            "a lock by SETNX has no expiry",
            "take-setnx",
            "if taken then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
            "",
            "leaseExpires"),
        script("a held lock is granted", "take-set", "'NX', 'PX'", "'PX'", "otherTokensAreRefused"),
        script(
            "a repeated request loses its place",
            "acquire",
            "t[1] * 1000000 + t[2] - ARGV[7]",
            "t[1] * 1000000 + t[2]",
            "repeatedRequestKeepsItsPlace"),
        script(
            "on a quorum the later of two places counts",
            "acquire",
            "'LT'",
            "'NX'",
            "earlierOfTwoPlacesCountsOnAQuorum"),
        script(
            "on a quorum the waiting time is ignored",
            "acquire",
            "at = proposed - ARGV[7]",
            "at = proposed",
            "earlierOfTwoPlacesCountsOnAQuorum"),
        script(
            "a holder stays in the queue",
            "acquire",
            "redis.pcall('ZREM', KEYS[3], ARGV[5])",
            "",
            "holderLeavesTheQueue"),
        script(
            "a leaving waiter stays in the queue",
            "leave",
            "redis.call('ZREM', KEYS[2], ARGV[1])",
            "",
            "leavingRemovesTheWaiterFromTheQueue"),
        script(
            "another token's lease is renewed",
            "renew",
            "elseif v ~= ARGV[2 * i - 1] then",
            "elseif not v then",
            "renewalRequiresTheToken"),
        script(
            "a renewal shortens the lease",
            "renew",
            "math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i])",
            "ARGV[2 * i]",
            "renewalDoesNotShortenTheLease"),
        script(
            "a renewal does nothing",
            "renew",
            "redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i]))",
            "",
            "renewalExtendsTheLease"),
        script(
            "a token that is not the holder's raises the fence",
            "holds",
            "if unmarked(redis.call('GET', KEYS[1])) ~= ARGV[1] then",
            "if false then",
            "onlyTheHolderRaisesTheFence"),
        script(
            "a raise does nothing",
            "raise",
            "redis.call('SET', KEYS[2], fence_text(v, r, is_marked(fence)), 'PX', fence_ttl)",
            "",
            "raisedFenceIsStored"),
        script(
            "reserved numbers are not stored",
            "fence",
            "local text = fence_text(v, r, marked)",
            "local text = fence_text(v, 0, marked)",
            "laterFencesExceedReservedNumbers"),
        script(
            "reserved numbers are not capped",
            "numbers",
            "math.min(asked, now + 1000000 - v, most - 1 - v)",
            "asked",
            "reservedNumbersAreCapped"),
        script(
            "a repeated acquisition reserves numbers",
            "fence",
            "v = math.max(last, proposed)",
            "v, r = math.max(last, proposed), asked",
            "repeatedAcquisitionReservesNoNumbers"),
        script(
            "unused numbers are not returned",
            "unused",
            "redis.pcall('SET', KEYS[#KEYS], used, 'PX', fence_ttl)",
            "",
            "unusedNumbersAreReturned"),
        script(
            "numbers are returned despite a later grant",
            "unused",
            "if last_number(given) == tonumber(ARGV[#ARGV]) then",
            "if true then",
            "numbersBelowALaterGrantAreNotReturned"));
  }

  /** Further mutants of the engine. */
  static List<Mutants> engines() {
    return List.of(
        engine(
            "the drift allowance is missing",
            "calls/Drift",
            "return sent + nanos - nanos / PART - FIXED_NANOS;",
            "return sent + nanos;",
            "deadlineIsReducedByTheDrift"),
        engine(
            "the deadline counts from the answer",
            "acquire/AcquireLoop",
            "Drift.deadline(sentAt, granted.ttl())",
            "Drift.deadline(monitor.now(), granted.ttl())",
            "deadlineCountsFromBeforeTheRequest"),
        engine(
            "a renewal counts from its answer",
            "lease/RemoteLease",
            "Drift.deadline(sentAt, ttl)",
            "Drift.deadline(monitor.now(), ttl)",
            "renewalCountsFromBeforeTheRequest"),
        engine(
            "a renewal moves a deadline that has passed",
            "lease/RemoteLease",
            "if (deadline - monitor.now() > 0) {",
            "if (true) {",
            "lateRenewalPassesNothingOn"),
        engine(
            "a failed renewal moves the deadline",
            "lease/RemoteLease",
            "if (answer != RenewResult.RENEWED) {",
            "if (answer == RenewResult.NOT_OWNER) {",
            "unrenewedLeaseIsLost"),
        engine(
            "a refused renewal moves the deadline",
            "lease/RemoteLease",
            "if (answer != RenewResult.RENEWED) {",
            "if (answer == null) {",
            "stolenLeaseIsLost"),
        engine(
            "a hand-over keeps the same token",
            "lease/LeaseState",
            "return next(Effect.PASS_ON);",
            "return with(Effect.PASS_ON);",
            "handOverIncreasesTheToken"),
        engine(
            "an overtaken grant counts",
            "acquire/AcquireLoop",
            "if (holds.supersedes(lease)) {",
            "if (false) {",
            "TwiceStories#overtakenGrantIsDiscarded"),
        engine(
            "a hand-over uses no reserved number",
            "lease/LeaseState",
            "return !beside && hasNumber();",
            "return !beside;",
            "grantReservesTokens"),
        engine(
            "an abandoned acquisition is not released",
            "acquire/RequestState",
            "new Effect.Withdraw(queued, mayHold)",
            "new Effect.Withdraw(queued, false)",
            "unansweredRequestIsReleased"));
  }

  /** All mutants. */
  static List<Mutants> all() {
    Stream<Mutants> twice = Redundant.all().stream().map(Redundant::alone);
    Stream<Mutants> once =
        Stream.of(
                lived(),
                LaterMutants.all(),
                LingerMutants.all(),
                LingerMutants.ofRefusals(),
                MarkMutants.all(),
                CommandMutants.all(),
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
