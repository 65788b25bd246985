package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.ENGINE;
import static dev.leasehold.redlock.Mutants.quorum;

import java.util.ArrayList;
import java.util.List;

/**
 * A check that is implemented twice.
 *
 * @param alone the mutant without the first check, and the story that finds it by itself
 * @param second edits that remove the second check, so that the engine's users are affected
 * @param engineStory passes with either check, and fails without both
 */
record Redundant(Mutants alone, List<Edit> second, String engineStory) {
  List<Edit> both() {
    List<Edit> both = new ArrayList<>(alone.edits());
    both.addAll(second);
    return both;
  }

  /**
   * Checks that are redundant for the engine's users: if one is removed, a second one still
   * applies; without both, the story fails. Each is kept nevertheless, for the reason its own story
   * shows: a {@link dev.leasehold.lock.spi.LeaseStore} may be used without our engine, and nodes
   * accept leases that are longer by the drift.
   */
  static List<Redundant> all() {
    Edit late =
        new Edit(
            ENGINE + "acquire/AcquireLoop.java",
            "if (deadline - monitor.now() <= 0) {",
            "if (deadline < 0) {");
    return List.of(
        new Redundant(
            quorum(
                "a lease over the limit is accepted",
                "QuorumKindView",
                "if (lease.compareTo(longest) > 0) {",
                "if (false) {",
                "TwiceStories#leaseSlightlyOverTheLimitIsRefused"),
            List.of(
                new Edit(
                    "lock-redis-common/src/main/java/dev/leasehold/redis/common/NodeGuard.java",
                    "if (ttl.compareTo(voter.longestLease()) > 0) {",
                    "if (false) {")),
            "TwiceStories#leaseFarOverTheLimitIsRefused"),
        new Redundant(
            quorum(
                "a round as long as the lease is won",
                "QuorumRound",
                "    if (!isValid(sentAt)) {\n"
                    + "      tooLate(tokenState, sentAt);\n"
                    + "      return;\n"
                    + "    }\n",
                "",
                "roundAsLongAsTheLeaseIsNotWon"),
            List.of(late),
            "EngineStories#expiredGrantIsNotUsed"),
        new Redundant(
            quorum(
                "a fence written back too late counts",
                "QuorumRound",
                "answer == RenewResult.RENEWED && isValid(sentAt)",
                "answer == RenewResult.RENEWED",
                "writeBackAsLongAsTheLeaseDoesNotCount"),
            List.of(late),
            "EngineStories#expiredGrantIsNotUsed"),
        new Redundant(
            quorum(
                "a renewal as long as the lease counts",
                "RenewalRound",
                "&& quorum.policy().validity(one.sent.ttl(), elapsed).isNegative()",
                "&& false",
                "renewalAsLongAsTheLeaseDoesNotCount"),
            List.of(
                new Edit(ENGINE + "lease/RemoteLease.java", "holders.expireIfPast();", ""),
                new Edit(
                    ENGINE + "lease/RemoteLease.java",
                    "if (deadline - monitor.now() > 0) {",
                    "if (true) {"),
                new Edit(
                    ENGINE + "lease/RemoteLease.java",
                    "Drift.deadline(sentAt, ttl)",
                    "Drift.deadline(monitor.now(), ttl)")),
            "EngineStories#expiredLeaseIsNotRevived"));
  }
}
