package dev.leasehold.redlock;

import java.util.List;

/** {@link Mutants} of the scripts that acquire and release several locks at once. */
final class TogetherMutants {
  private TogetherMutants() {}

  private static Mutants of(String what, String from, String to, String story) {
    return Mutants.script(what, "together", from, to, "TogetherStories#" + story);
  }

  private static Mutants back(String what, String from, String to, String story) {
    return Mutants.script(what, "together-release", from, to, "TogetherStories#" + story);
  }

  static List<Mutants> all() {
    return List.of(
        of(
            "only the first name is checked",
            "if not mine[i] and (v or i > wanted) then",
            "if i == 1 and v and not mine[i] then",
            "oneHeldLockRefusesAll"),
        of(
            "it writes before all names are checked",
            "  replies[i] = 0\n",
            "  replies[i] = 0\n  if not v then redis.call('SET', KEYS[i], ARGV[2 + i], 'PX',"
                + " ARGV[1]) end\n",
            "refusedRequestLeavesNothing"),
        of(
            "the token exceeds only the first name's fence",
            "last = math.max(last or 0, number or 0)",
            "last = last or number or 0",
            "tokenExceedsAllEarlierOnes"),
        of(
            "the token does not exceed the last one",
            "v = next_numbers(last, t[1] * 1000000 + t[2], 0, 0)",
            "v = math.max(last, t[1] * 1000000 + t[2])",
            "tokenExceedsAllEarlierOnes"),
        of(
            "the token is stored for no name",
            "redis.call('SET', KEYS[m + i], text, 'PX', fence_ttl)",
            "",
            "tokenIsBelowAllLaterOnes"),
        of(
            "the token is not stored for leases beside it",
            "if text ~= fences[i] then",
            "if i <= wanted and text ~= fences[i] then",
            "tokenCoversLeasesBesideIt"),
        of(
            "leases beside it are not checked",
            "if not mine[i] and (v or i > wanted) then",
            "if not mine[i] and v and i <= wanted then",
            "leasesBesideItMustBeHeld"),
        of(
            "leases beside it may have expired",
            "(v or i > wanted)",
            "v",
            "leasesBesideItMustBeHeld"),
        of(
            "a repeated acquisition is refused",
            "mine[i] = v == ARGV[2 + i]",
            "mine[i] = false",
            "repeatedAcquisitionHoldsAll"),
        of(
            "a repeated acquisition shortens all leases",
            "math.max(redis.call('PTTL', KEYS[i]), ARGV[1])",
            "ARGV[1]",
            "repeatedAcquisitionDoesNotShortenTheLeases"),
        of(
            "locks have no expiry",
            "take(KEYS[i], ARGV[2 + i] .. (may_mark(ARGV[2 + i]) and '!' or ''), ARGV[1])",
            "redis.call('SET', KEYS[i], ARGV[2 + i])",
            "eachLeaseExpires"),
        Mutants.script(
            "a released token acquires later",
            "together-setnx",
            "if redis.call('EXISTS', KEYS[i]) == 1 then",
            "if false then",
            "TogetherStories#releasedTokenIsRefusedLater"),
        back(
            "only the first lock is released",
            "redis.call('DEL', unpack(mine))",
            "redis.call('DEL', mine[1])",
            "allAreReleased"),
        back(
            "another token's lock is released",
            "elseif v == ARGV[3 * i + 1] or v == '+' .. ARGV[3 * i + 1] then",
            "elseif v then",
            "onlyItsOwnAreReleased"),
        back(
            "a reservation for it is not released",
            "or v == '+' .. ARGV[3 * i + 1] then",
            "then",
            "reservationForOneIsReleased"),
        back(
            "an invalid lock stops the release of all",
            "redis.pcall('GET', KEYS[i])",
            "redis.call('GET', KEYS[i])",
            "invalidLockDoesNotStopOthers"),
        back(
            "the result for an invalid lock is missing",
            "return failed or replies",
            "return replies",
            "invalidLockDoesNotStopOthers"),
        back(
            "only the first lock's waiters are served",
            "replies[i] == 1 then",
            "i == 1 then",
            "firstWaiterOfEachIsWoken"),
        back(
            "the first lock's waiters are served for all locks",
            "local waiters = KEYS[m + i]",
            "local waiters = KEYS[m + 1]",
            "firstWaiterOfEachIsWoken"),
        back(
            "waiters are notified with the first lock's name",
            "message = ARGV[3 * i + 3]",
            "message = ARGV[6]",
            "firstWaiterOfEachIsWoken"),
        back(
            "a woken waiter gets no reservation",
            "kept = ARGV[3]",
            "kept = 0",
            "firstWaiterOfEachIsWoken"),
        back(
            "the other locks are requested while one is outstanding",
            "redis.call('SET', KEYS[i], '', 'PX', 3600000)",
            "",
            "lastReleaseRefusesLateRequests"));
  }

  /** Of the engine, where the store cannot take several in one step. */
  static List<Mutants> oneByOne() {
    return List.of(
        oneByOne(
            "a refused request keeps what it acquired",
            "acquired\n        .giveBack()\n        .whenCompleteAsync(",
            "CompletableFuture.completedFuture(null)\n        .whenCompleteAsync(",
            "refusedRequestAcquiresNothing"),
        oneByOne(
            "a request holds one lock while it waits for the next",
            "() -> asksOnce() ? part.await(wait) : part.ask()",
            "() -> part.await(Optional.empty())",
            "waitingRequestHoldsNothing"));
  }

  private static Mutants oneByOne(String what, String from, String to, String story) {
    String file = Mutants.ENGINE + "several/AllAsync.java";
    return Mutants.one(what, file, from, to, "SeveralStories#" + story);
  }
}
