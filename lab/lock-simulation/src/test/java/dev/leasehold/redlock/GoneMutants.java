package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.ENGINE;
import static dev.leasehold.redlock.Mutants.one;
import static dev.leasehold.redlock.Mutants.script;

import java.util.List;

/** {@link Mutants} of acquisitions that arrive after the release of their token. */
final class GoneMutants {
  private static final String STORE = "lock-redis-set/src/main/java/dev/leasehold/redis/set/";

  private GoneMutants() {}

  static List<Mutants> all() {
    return List.of(
        script(
            "a late request acquires the lock",
            "fence",
            "if taken and redis.call('EXISTS', gone .. ':' .. ARGV[1]) == 1 then",
            "if false then",
            "GoneStories#lateRequestAcquiresNothing"),
        script(
            "the fence is not marked",
            "gone-mark",
            "if last and not is_marked(fence) then",
            "if false then",
            "GoneStories#lateRequestAcquiresNothing"),
        script(
            "a late request acquires the first lock of its name",
            "fence",
            "local marked = not fence or is_marked(fence)",
            "local marked = fence and is_marked(fence)",
            "GoneStories#missingFenceTriggersTheLookUp"),
        script(
            "the next grant erases the mark",
            "fence",
            "fence_text(v, r, marked)",
            "fence_text(v, r)",
            "EngineStories#requestThatOutlivesItsConnectionAcquiresNothing"),
        script(
            "a raised fence erases the mark",
            "raise",
            "fence_text(v, r, is_marked(fence))",
            "fence_text(v, r)",
            "GoneStories#raisedFenceKeepsTheMark"),
        script(
            "returned numbers erase the mark",
            "unused",
            "0, is_marked(given))",
            "0)",
            "GoneStories#returnedNumbersKeepTheMark"),
        script(
            "the mark is never removed",
            "fence",
            "marked = redis.call('EXISTS', gone) == 1",
            "",
            "GoneStories#markIsRemovedWithTheLastReleasedToken"),
        script(
            "a late request acquires several locks",
            "together",
            "if not mine[i] and redis.call('EXISTS', gone .. ':' .. ARGV[2 + i]) == 1 then",
            "if false then",
            "GoneStories#lateRequestForSeveralAcquiresNothing"),
        script(
            "a late request acquires slots",
            "node-not-gone",
            "if redis.call('EXISTS', KEYS[#KEYS - 1]) == 1 then",
            "if false then",
            "GoneStories#lateRequestAcquiresNoSlots"),
        script(
            "a late request acquires permits",
            "several-not-gone",
            "if redis.call('EXISTS', KEYS[#KEYS]) == 1 then",
            "if false then",
            "GoneStories#lateRequestAcquiresNoPermitsAndSides"),
        one(
            "a release leaves no marker",
            STORE + "UnansweredAcquisitions.java",
            "return by != null && by.isBroken();",
            "return false;",
            "EngineStories#requestThatOutlivesItsConnectionAcquiresNothing"),
        one(
            "a refusal counts as the answer to an earlier request",
            ENGINE + "acquire/RequestState.java",
            "return in(Phase.REFUSED).with();",
            "return new RequestState(Phase.REFUSED, true, woken, sent, false, queued, false).with();",
            "EngineStories#requestThatOutlivesARefusalAcquiresNothing"));
  }
}
