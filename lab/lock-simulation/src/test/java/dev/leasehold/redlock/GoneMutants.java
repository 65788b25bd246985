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
            "a lock that is taken late",
            "fence",
            "if taken and redis.call('EXISTS', gone .. ':' .. ARGV[1]) == 1 then",
            "if false then",
            "GoneStories#whatComesLateTakesNothing"),
        script(
            "a fence that is not marked",
            "gone-mark",
            "if last and not is_marked(fence) then",
            "if false then",
            "GoneStories#whatComesLateTakesNothing"),
        script(
            "a first lock of its name that is taken late",
            "fence",
            "local marked = not fence or is_marked(fence)",
            "local marked = fence and is_marked(fence)",
            "GoneStories#whereThereIsNoFenceItIsLookedFor"),
        script(
            "a mark that others wipe off",
            "fence",
            "fence_text(v, r, marked)",
            "fence_text(v, r)",
            "EngineStories#whatOutlivesItsConnectionTakesNothing"),
        script(
            "a mark that a larger fence wipes off",
            "raise",
            "fence_text(v, r, is_marked(fence))",
            "fence_text(v, r)",
            "GoneStories#aLargerFenceKeepsTheMark"),
        script(
            "a mark that numbers wipe off which are given back",
            "unused",
            "0, is_marked(given))",
            "0)",
            "GoneStories#numbersThatAreGivenBackKeepTheMark"),
        script(
            "a mark for ever",
            "fence",
            "marked = redis.call('EXISTS', gone) == 1",
            "",
            "GoneStories#theMarkGoesWithTheLastOfThem"),
        script(
            "several locks that are taken late",
            "together",
            "if not mine[i] and redis.call('EXISTS', gone .. ':' .. ARGV[2 + i]) == 1 then",
            "if false then",
            "GoneStories#ofSeveralWhatComesLateTakesNone"),
        script(
            "slots that are taken late",
            "node-not-gone",
            "if redis.call('EXISTS', KEYS[#KEYS - 1]) == 1 then",
            "if false then",
            "GoneStories#noSlotsAreTakenLate"),
        script(
            "permits that are taken late",
            "several-not-gone",
            "if redis.call('EXISTS', KEYS[#KEYS]) == 1 then",
            "if false then",
            "GoneStories#noPermitsAndSidesAreTakenLate"),
        one(
            "a release that leaves no word",
            STORE + "UnansweredAcquisitions.java",
            "return by != null && by.isBroken();",
            "return false;",
            "EngineStories#whatOutlivesItsConnectionTakesNothing"),
        one(
            "a refusal that settles what is on its way",
            ENGINE + "acquire/RequestState.java",
            "return in(Phase.REFUSED).with();",
            "return new RequestState(Phase.REFUSED, true, woken, sent, false, queued, false).with();",
            "EngineStories#whatOutlivesARefusalTakesNothing"));
  }
}
