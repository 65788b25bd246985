package dev.leasehold.redlock.model;

import static dev.leasehold.redlock.model.Rules.with;

import dev.leasehold.redlock.model.Rules.Counting;
import dev.leasehold.redlock.model.Rules.Freeing;
import dev.leasehold.redlock.model.Rules.Scope;
import java.util.List;

/**
 * What is searched.
 *
 * @param name of it
 * @param rules its bounds, and its protocol
 */
record Scenario(String name, Rules rules) {

  /** What a fault breaks. */
  String breaks() {
    return name.equals("WALL_CLOCKS_APART")
        ? "the token is not larger than one before"
        : "two hold the lock";
  }

  /** The same world, where all has to hold: for one that is outside of the fault model. */
  Rules ofAll() {
    rules.scope = Scope.ALL;
    return rules;
  }

  /** The protocol as it is, within bounds that can be searched in a moment. */
  static List<Scenario> small() {
    return List.of(
        new Scenario("one round each", with(r -> {})),
        new Scenario("a restart without data", with(r -> r.crashes = 1)));
  }

  /** The protocol as it is, within all bounds. */
  static List<Scenario> all() {
    return List.of(
        new Scenario("three rounds, two of them of the first", with(r -> rounds(r, 2, 1))),
        new Scenario("three rounds, two of them of the second", with(r -> rounds(r, 1, 2))),
        new Scenario("a restart, and a renewal of each", with(Scenario::restartAndRenewals)),
        new Scenario("a restart, and a message twice", with(Scenario::restartAndRepeat)),
        new Scenario("a restart, and a clock a tick ahead", with(Scenario::restartAndClock)),
        new Scenario("a restart, and a lease of four", with(Scenario::restartAndLongLease)),
        new Scenario("two restarts", with(r -> r.crashes = 2)),
        new Scenario("one round each", with(r -> {})));
  }

  /** Outside the fault model: holds overlap, but a later round's token is still larger. */
  static List<Scenario> outside() {
    return List.of(
        new Scenario("IMMEDIATE_RESTART", with(r -> fenced(r, 1))),
        new Scenario("EARLY_RESTART", with(r -> fenced(r, 2))),
        new Scenario("CLOCK_JUMP", with(r -> jumpFenced(r))));
  }

  /** The protocol, or what it stands on, with one fault. */
  static List<Scenario> mutants() {
    return List.of(
        new Scenario("IMMEDIATE_RESTART", with(r -> restartAfter(r, 0))),
        new Scenario("EARLY_RESTART", with(r -> restartAfter(r, r.lease - 1))),
        new Scenario("NO_DRIFT", with(r -> r.allowance = 0)),
        new Scenario("HALF_THE_VOTES", with(r -> r.quorum = Rules.NODES / 2)),
        new Scenario("ELAPSED_IGNORED", with(r -> r.counting = Counting.DECISION)),
        new Scenario("CLOCK_READ_LATE", with(r -> r.counting = Counting.FIRST_ANSWER)),
        new Scenario("CLOCK_JUMP", with(r -> r.jumps = 1)),
        new Scenario("UNCONDITIONAL_DELETE", with(Scenario::freeForAnybody)),
        new Scenario("WALL_CLOCKS_APART", with(Scenario::clocksApart)));
  }

  private static void rounds(Rules rules, int ofFirst, int ofSecond) {
    rules.rounds = new int[] {ofFirst, ofSecond};
  }

  private static void restartAndRenewals(Rules rules) {
    rules.crashes = 1;
    rules.renewals = 1;
  }

  private static void restartAndRepeat(Rules rules) {
    rules.crashes = 1;
    rules.repeats = 1;
  }

  private static void restartAndClock(Rules rules) {
    rules.crashes = 1;
    rules.ahead = 1;
  }

  private static void restartAndLongLease(Rules rules) {
    rules.crashes = 1;
    rules.lease = 4;
    rules.quarantine = 4;
  }

  private static void restartAfter(Rules rules, int quarantine) {
    rules.crashes = 1;
    rules.quarantine = quarantine;
  }

  private static void freeForAnybody(Rules rules) {
    rounds(rules, 1, 2);
    rules.freeing = Freeing.ANYBODY;
  }

  /** A token from a clock that is ahead is forgotten, and the other clocks have not got there. */
  private static void clocksApart(Rules rules) {
    rules.crashes = 1;
    rules.ahead = rules.quarantine - rules.drift;
  }

  /** A restart takes longer than the clocks, and the proposals, are apart. */
  private static void fenced(Rules rules, int quarantine) {
    restartAfter(rules, quarantine);
    rules.drift = quarantine - 1;
    rules.guess = 0;
    rules.scope = Scope.FENCING;
  }

  private static void jumpFenced(Rules rules) {
    rules.jumps = 1;
    rules.scope = Scope.FENCING;
  }
}
