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
            "the first name alone is looked at",
            "if not mine[i] and (v or i > wanted) then",
            "if i == 1 and v and not mine[i] then",
            "oneThatIsHeldRefusesAll"),
        of(
            "it writes before it has looked at all",
            "  replies[i] = 0\n",
            "  replies[i] = 0\n  if not v then redis.call('SET', KEYS[i], ARGV[2 + i], 'PX',"
                + " ARGV[1]) end\n",
            "whoIsRefusedLeavesNothing"),
        of(
            "a token above the first name's alone",
            "last = math.max(last or 0, number or 0)",
            "last = last or number or 0",
            "itsTokenIsAboveAllBefore"),
        of(
            "a token that is no larger than the last one's",
            "v = next_numbers(last, t[1] * 1000000 + t[2], 0, 0)",
            "v = math.max(last, t[1] * 1000000 + t[2])",
            "itsTokenIsAboveAllBefore"),
        of(
            "a token that is kept of no name",
            "redis.call('SET', KEYS[m + i], text, 'PX', fence_ttl)",
            "",
            "itsTokenIsBelowAllAfterwards"),
        of(
            "a token that is not kept of what is beside",
            "if text ~= fences[i] then",
            "if i <= wanted and text ~= fences[i] then",
            "itsTokenIsAlsoOfWhatIsBeside"),
        of(
            "what is beside is not looked at",
            "if not mine[i] and (v or i > wanted) then",
            "if not mine[i] and v and i <= wanted then",
            "whatIsBesideMustBeHeld"),
        of("what is beside may be over", "(v or i > wanted)", "v", "whatIsBesideMustBeHeld"),
        of(
            "who asks again is refused",
            "mine[i] = v == ARGV[2 + i]",
            "mine[i] = false",
            "askedAgainItHasThemAll"),
        of(
            "a repeated question that shortens all",
            "math.max(redis.call('PTTL', KEYS[i]), ARGV[1])",
            "ARGV[1]",
            "askedAgainTheyAreNotShortened"),
        of(
            "locks without an end",
            "take(KEYS[i], ARGV[2 + i], ARGV[1])",
            "redis.call('SET', KEYS[i], ARGV[2 + i])",
            "eachEnds"),
        Mutants.script(
            "what was released is taken later",
            "together-setnx",
            "if redis.call('EXISTS', KEYS[i]) == 1 then",
            "if false then",
            "TogetherStories#whatWasReleasedIsNotTakenLater"),
        back(
            "the first alone is given back",
            "redis.call('DEL', unpack(mine))",
            "redis.call('DEL', mine[1])",
            "allAreGivenBack"),
        back(
            "what is another's is given back",
            "elseif v == ARGV[3 * i + 1] or v == '+' .. ARGV[3 * i + 1] then",
            "elseif v then",
            "onlyItsOwnAreGivenBack"),
        back(
            "what is kept for it is not given back",
            "or v == '+' .. ARGV[3 * i + 1] then",
            "then",
            "whatIsKeptForOneIsGivenBack"),
        back(
            "one that is no lock keeps all",
            "redis.pcall('GET', KEYS[i])",
            "redis.call('GET', KEYS[i])",
            "whatIsNoLockKeepsNoOther"),
        back(
            "nobody is told what became of one that is no lock",
            "return failed or replies",
            "return replies",
            "whatIsNoLockKeepsNoOther"),
        back(
            "the first one's waiters alone are looked at",
            "replies[i] == 1 then",
            "i == 1 then",
            "ofEachTheFirstWaiterIsWoken"),
        back(
            "the first one's waiters stand for all",
            "local waiters = KEYS[m + i]",
            "local waiters = KEYS[m + 1]",
            "ofEachTheFirstWaiterIsWoken"),
        back(
            "waiters that are told of the first one",
            "message = ARGV[3 * i + 3]",
            "message = ARGV[6]",
            "ofEachTheFirstWaiterIsWoken"),
        back(
            "nothing is kept for who was woken",
            "kept = ARGV[3]",
            "kept = 0",
            "ofEachTheFirstWaiterIsWoken"),
        back(
            "what may come yet is taken",
            "redis.call('SET', KEYS[i], '', 'PX', 3600000)",
            "",
            "whatIsGivenBackForGoodIsNotTakenLater"));
  }

  /** Of the engine, where the store cannot take several in one step. */
  static List<Mutants> oneByOne() {
    return List.of(
        oneByOne(
            "who is refused keeps what it has",
            "acquired\n        .giveBack()\n        .whenCompleteAsync(",
            "CompletableFuture.completedFuture(null)\n        .whenCompleteAsync(",
            "whoIsRefusedHasNone"),
        oneByOne(
            "who has one waits for the next",
            "() -> asksOnce() ? part.await(wait) : part.ask()",
            "() -> part.await(Optional.empty())",
            "whoWaitsHasNone"));
  }

  private static Mutants oneByOne(String what, String from, String to, String story) {
    String file = Mutants.ENGINE + "several/AllAsync.java";
    return Mutants.one(what, file, from, to, "SeveralStories#" + story);
  }
}
