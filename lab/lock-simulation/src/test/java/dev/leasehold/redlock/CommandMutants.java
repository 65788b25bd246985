package dev.leasehold.redlock;

import java.util.List;

/** {@link Mutants} of the store without scripts. */
final class CommandMutants {
  private static final String PLACE = "lock-redis-set/src/main/java/dev/leasehold/redis/set/";
  private static final String STORE = PLACE + "CommandStore.java";
  private static final String FENCE = PLACE + "LastFence.java";

  private CommandMutants() {}

  static List<Mutants> all() {
    return List.of(
        store(
            "a held lock is taken",
            "\"NX\", \"GET\", \"PX\"",
            "\"GET\", \"PX\"",
            "refusalWritesNothing"),
        store(
            "a reservation lasts as long as the lease",
            "Math.min(request.ttl().toMillis(), reservedFor.toMillis())",
            "request.ttl().toMillis()",
            "lateRequestReservesForTheCommandTimeout"),
        fence(
            "a fence replaces whatever is there",
            "\"IFEQ\", text, \"PX\", millis",
            "\"PX\", millis",
            "otherFenceMeanwhileIsNotOverwritten"),
        fence(
            "a first fence replaces whatever is there",
            "value, \"NX\", \"PX\", millis",
            "value, \"PX\", millis",
            "firstFenceMeanwhileIsNotOverwritten"),
        store(
            "a token replaces whatever is there",
            "\"IFEQ\", value, \"PX\", millis",
            "\"PX\", millis",
            "reservationThatExpiredIsNotGranted"),
        store(
            "a lock is granted without a fence of its own",
            "replies -> !replies.contains(null)",
            "replies -> replies.get(0) != null",
            "otherFenceMeanwhileIsNotOverwritten"),
        fence(
            "a fence ignores the clock",
            "Math.max(last.map(StoredFence::last).orElse(0L) + 1, micros)",
            "last.map(StoredFence::last).orElse(0L) + 1",
            "fencesFollowTheClock"),
        fence(
            "a fence ignores the last one",
            "Math.max(last.map(StoredFence::last).orElse(0L) + 1, micros)",
            "micros",
            "fencesIncreaseWhileTheClockIsSetBack"),
        fence(
            "the mark of a fence is lost",
            "text == null || StoredFence.isMarked(text)",
            "text == null",
            "markOfTheFenceIsKept"),
        fence(
            "a first fence has no mark",
            "text == null || StoredFence.isMarked(text)",
            "text != null && StoredFence.isMarked(text)",
            "tokenReleasedBeforeItCameIsStillRefused"),
        fence(
            "other data in place of the fence is overwritten",
            "text != null && last.isEmpty()",
            "false",
            "otherDataInPlaceOfTheFenceIsRefused"),
        Mutants.one(
            "a refused acquisition keeps the lock",
            PLACE + "FreedIfRefused.java",
            "} else if (isRefusal(failure)) {",
            "} else if (false) {",
            "CommandStories#keyOfAnotherTypeInPlaceOfTheFenceIsRefused"),
        store(
            "a confirmation that comes during a release holds the lock",
            "                        deletion(lease, RESERVED + lease.token()),\n"
                + "                        deletion(lease, lease.token()))",
            "                        deletion(lease, RESERVED + lease.token()))",
            "lateConfirmationDuringAReleaseIsReleased"),
        store(
            "an expired reservation is reported as another's lock",
            "return tries > 1 ? attempt(request, tries - 1) : overtaken(lease);",
            "return held(lease, found);",
            "freeLockIsAcquiredThoughItsReservationExpired"),
        store(
            "a repeated acquisition shortens the lease",
            "Math.max(request.ttl().toMillis(), again ? found.left() : 0)",
            "request.ttl().toMillis()",
            "repeatedAcquisitionDrawsALargerFence"),
        store(
            "a renewal shortens the lease",
            "if (longest) {",
            "if (true) {",
            "renewalDoesNotShortenTheLease"),
        store(
            "a renewal does not compare",
            "\"IFEQ\", lease.token(), \"PX\", millis",
            "\"XX\", \"PX\", millis",
            "renewalRequiresTheToken"),
        store(
            "a reservation is not released",
            "done == ReleaseResult.RELEASED",
            "true",
            "reservationIsReleased"),
        store(
            "unused numbers are not returned",
            "returned(lease, run, false),",
            "",
            "reservedNumbersAreStoredAndReturned"),
        store(
            "unused numbers of a fence with the mark are not returned",
            "returned(lease, run, true),",
            "",
            "reservedNumbersAreStoredAndReturned"),
        store(
            "a tombstone outlives the lease",
            "Math.min(left, rest.toMillis())",
            "rest.toMillis()",
            "tombstoneDoesNotOutliveTheLease"),
        store(
            "a reservation is shown as a holder",
            "value == null || value.startsWith(RESERVED)",
            "value == null",
            "reservationOfAWaiterIsRespected"),
        store(
            "a mark is shown as a part of the token",
            "NativeDeletes.unmarked(value)",
            "value",
            "inspectionReturnsTheHolder"),
        Mutants.one(
            "an error of one command is ignored",
            PLACE + "Pipeline.java",
            "all.add(output.hasError() ? output.getError() : null);",
            "all.add(null);",
            "CommandStories#errorOfOneCommandFailsTheCall"));
  }

  private static Mutants fence(String what, String from, String to, String story) {
    return Mutants.one(what, FENCE, from, to, "CommandStories#" + story);
  }

  private static Mutants store(String what, String from, String to, String story) {
    return Mutants.one(what, STORE, from, to, "CommandStories#" + story);
  }
}
