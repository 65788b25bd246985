package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.ENGINE;
import static dev.leasehold.redlock.Mutants.quorum;

import java.util.ArrayList;
import java.util.List;

/**
 * A check that stands twice.
 *
 * @param alone the mutant without it, and the story that finds it alone
 * @param second without which the engine's users would see it too
 * @param engineStory holds with either, and fails without both
 */
record Redundant(Mutants alone, List<Edit> second, String engineStory) {
  List<Edit> both() {
    List<Edit> both = new ArrayList<>(alone.edits());
    both.addAll(second);
    return both;
  }

  /**
   * Checks of which each is redundant for the engine's users: without it a second one stands, and
   * without both the story fails. Each is kept all the same, for what its own story tells: a {@link
   * dev.leasehold.lock.spi.LeaseStore} may be used without our engine, and nodes bear leases that
   * are longer by the drift.
   */
  static List<Redundant> all() {
    Edit late =
        new Edit(
            ENGINE + "Attempt.java", "if (deadline - monitor.now() <= 0) {", "if (deadline < 0) {");
    return List.of(
        new Redundant(
            quorum(
                "a lease that is longer than the longest",
                "QuorumView",
                "if (lease.compareTo(longest) > 0) {",
                "if (false) {",
                "TwiceStories#aLeaseThatIsLittleLongerThanTheLongestIsRefused"),
            List.of(
                new Edit(
                    "lock-redis-set/src/main/java/dev/leasehold/redis/set/Guard.java",
                    "if (request.ttl().compareTo(voter.longestLease()) > 0) {",
                    "if (false) {")),
            "TwiceStories#aLeaseThatIsMuchLongerThanTheLongestIsRefused"),
        new Redundant(
            quorum(
                "a round that took as long as the lease is won",
                "Election",
                "    if (!isValid(sentAt)) {\n"
                    + "      tooLate(ballot, sentAt);\n"
                    + "      return;\n"
                    + "    }\n",
                "",
                "aRoundThatTookAsLongAsTheLeaseIsNotWon"),
            List.of(late),
            "EngineStories#whatIsOverIsNotGranted"),
        new Redundant(
            quorum(
                "a fence that was written back too late counts",
                "Election",
                "answer == RenewResult.RENEWED && isValid(sentAt)",
                "answer == RenewResult.RENEWED",
                "aWriteBackThatTookAsLongAsTheLeaseDoesNotCount"),
            List.of(late),
            "EngineStories#whatIsOverIsNotGranted"),
        new Redundant(
            quorum(
                "a renewal that took as long as the lease counts",
                "RenewalRound",
                "&& quorum.policy().validity(one.sent.ttl(), elapsed).isNegative()",
                "&& false",
                "aRenewalThatTookAsLongAsTheLeaseDoesNotCount"),
            List.of(
                new Edit(ENGINE + "RemoteLease.java", "holders.expireIfPast();", ""),
                new Edit(
                    ENGINE + "RemoteLease.java",
                    "Drift.deadline(sentAt, ttl)",
                    "Drift.deadline(monitor.now(), ttl)")),
            "EngineStories#whatIsOverIsNotRevived"));
  }
}
