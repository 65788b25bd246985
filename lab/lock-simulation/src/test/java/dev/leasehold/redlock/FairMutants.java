package dev.leasehold.redlock;

import java.util.List;

/** Mutants of the fair mode. */
final class FairMutants {
  private FairMutants() {}

  private static Mutants of(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "FairStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        of(
            "the queue is ignored",
            "fair",
            "if taken then",
            "if false then",
            "laterArrivalDoesNotOvertake"),
        of(
            "a lock is passed on and also granted",
            "fair",
            "taken = passed == 1",
            "",
            "laterArrivalDoesNotOvertake"),
        of(
            "the first waiter waits for itself",
            "fair",
            " or w == ARGV[5]",
            "",
            "firstInLineAcquires"),
        of(
            "a missed turn loses the place",
            "fair",
            " or ARGV[14] == '1' and at > place",
            "",
            "missedTurnRemainsAheadOfLaterArrivals"),
        of(
            "a place ignores that the clock went back",
            "fair",
            "ARGV[14] == '1' and ",
            "",
            "newcomerIsLastAfterAClockStepBack"),
        of(
            "an unresponsive store is waited for repeatedly",
            "fair",
            "if not had_turn(at) then return w, at end",
            "do return w, at end",
            "unresponsiveStoreIsPassedOver"),
        of(
            "waiters that are passed over are not notified",
            "fair",
            "notify(ways, w)",
            "",
            "unresponsiveStoreIsPassedOver"),
        of(
            "a turn is not recorded",
            "pass-on",
            "if not had_turn(at) then redis.pcall('ZADD', waiters, string.format('%.1f', at + 0.5),"
                + " w) end",
            "",
            "unresponsiveStoreIsPassedOver"),
        of(
            "a store counts as unresponsive while it asks",
            "fair",
            " or store == string.match(ARGV[5], '^[^:]*')",
            "",
            "askingStoreLosesOneMissedTurn"),
        of(
            "all of a quorum's waiters lose their places",
            "fair",
            "ARGV[8] ~= '0' or store",
            "store",
            "waiterThatMissedItsTurnLosesItsPlaceOnANode"),
        of(
            "the next waiter is notified though it does not listen",
            "pass-on",
            "if notify(ways, w) then return end",
            "do notify(ways, w) return end",
            "nextListeningWaiterIsNotified"),
        of(
            "all waiters of a store are notified",
            "pass-on",
            "fair and ways.message .. ' ' .. token or ways.message",
            "ways.message",
            "onlyWaitersWhoseTurnItIsAreNotified"),
        of(
            "the next waiter is not notified",
            "pass-on",
            "if fair then notify_another(ways, waiters, fair) end",
            "",
            "onlyWaitersWhoseTurnItIsAreNotified"),
        of(
            "the next notified waiter is removed with the first",
            "pass-on",
            "other ~= store and ",
            "",
            "onlyWaitersWhoseTurnItIsAreNotified"),
        of(
            "a message contains a token for stores that do not expect it",
            "pass-on",
            "string.sub(store, -2) == '.f'",
            "true",
            "otherStoresReceiveOnlyTheName"));
  }
}
