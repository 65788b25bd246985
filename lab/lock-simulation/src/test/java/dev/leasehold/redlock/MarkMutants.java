package dev.leasehold.redlock;

import static dev.leasehold.redlock.Mutants.one;

import java.util.List;

/** {@link Mutants} of the marks of waiters, and of native releases. */
final class MarkMutants {
  private static final String JAVA = "lock-redis-common/src/main/java/dev/leasehold/redis/common/";

  private MarkMutants() {}

  static List<Mutants> all() {
    return List.of(
        script("a waiter does not mark", "acquire", "mark(KEYS[1], held)", "", "waiterMarks"),
        script(
            "a mark changes the time to live", "marks", "'KEEPTTL'", "'PX', '1000'", "waiterMarks"),
        script(
            "a lease that can't be marked is marked",
            "acquire",
            "and may_mark(held) and",
            "and",
            "otherValuesAreNotMarked"),
        script(
            "reservations and tombstones are marked",
            "acquire",
            " and string.find(held, '^[^+-]') then mark",
            " then mark",
            "otherValuesAreNotMarked"),
        script(
            "a marked lease is another's to its holder",
            "acquire",
            "local held = unmarked(value)",
            "local held = value",
            "markedLeaseIsAcquiredAgain"),
        script(
            "a marked lease is not renewed",
            "renew",
            "unmarked(redis.pcall('GET', KEYS[i]))",
            "redis.pcall('GET', KEYS[i])",
            "markedLeaseIsRenewed"),
        script(
            "a marked lease is not released",
            "release",
            "unmarked(redis.call('GET', KEYS[1]))",
            "redis.call('GET', KEYS[1])",
            "markedLeaseIsReleased"),
        script(
            "a marked lease is not kept",
            "keep",
            "unmarked(redis.call('GET', KEYS[1]))",
            "redis.call('GET', KEYS[1])",
            "markedLeaseIsKept"),
        script(
            "a mark is shown as a part of the token",
            "inspect",
            "unmarked(redis.call('GET', KEYS[1]))",
            "redis.call('GET', KEYS[1])",
            "markedLeaseIsShownWithoutItsMark"),
        script(
            "the fence of a marked lease is not raised",
            "holds",
            "unmarked(redis.call('GET', KEYS[1]))",
            "redis.call('GET', KEYS[1])",
            "markedLeaseGetsALargerFence"),
        script(
            "a marked lease is not released with others",
            "together-release",
            "unmarked(redis.pcall('GET', KEYS[i]))",
            "redis.pcall('GET', KEYS[i])",
            "markedLeaseIsReleasedTogetherWithOthers"),
        script(
            "a marked lease is not acquired again with others",
            "together",
            "unmarked(redis.call('GET', KEYS[i]))",
            "redis.call('GET', KEYS[i])",
            "severalLocksAtOnceAreMarked"),
        script(
            "several locks at once are not marked",
            "together",
            "may_mark(ARGV[2 + i]) and '!' or ''",
            "''",
            "severalLocksAtOnceAreMarked"),
        script(
            "every one of several locks is marked",
            "together",
            "may_mark(ARGV[2 + i]) and '!' or ''",
            "'!'",
            "severalLocksAtOnceAreMarked"),
        script(
            "the usual acquisition does not look for waiters",
            "draw",
            " and not (may_mark(ARGV[1]) and redis.call('EXISTS', KEYS[3]) == 1)",
            "",
            "freeLockIsGrantedMarkedIfOthersWait"),
        script(
            "a grant is not marked though others wait",
            "acquire",
            "if taken and may_mark(ARGV[1]) and",
            "if false and",
            "reservedLockIsGrantedMarkedIfOthersWait"),
        script(
            "a grant is marked though none wait",
            "acquire",
            "may_mark(ARGV[1]) and redis.call('EXISTS', KEYS[3]) == 1 then",
            "may_mark(ARGV[1]) then",
            "reservedLockIsGrantedMarkedIfOthersWait"),
        script(
            "a grant that can't be marked is",
            "acquire",
            "if taken and may_mark(ARGV[1]) and",
            "if taken and",
            "unmarkableLeaseIsGrantedUnmarked"),
        java(
            "leases are never markable",
            "NativeDeletes",
            "known == null || isMarkable(fresh.token())",
            "true",
            "uncontendedReleaseIsNative"),
        java(
            "a name with waiters is released natively first",
            "NativeDeletes",
            "isMarkable(lease.token()) && !contended.contains(lease.name())",
            "isMarkable(lease.token())",
            "contendedNameIsReleasedByTheScriptAtOnce"),
        java(
            "a lease that can't be marked is released natively",
            "NativeDeletes",
            "isMarkable(lease.token()) && !contended.contains(lease.name())",
            "!contended.contains(lease.name())",
            "unmarkableLeaseIsReleasedByTheScript"),
        one(
            "a marked lease is not released after the native attempt",
            "lock-redis-set/src/main/java/dev/leasehold/redis/set/LettuceScriptCall.java",
            "shortcut != null && !shortcut.isDone(reply) && sendScript()",
            "false",
            "MarkStories#waiterIsWokenAtOnce"));
  }

  private static Mutants script(String what, String file, String from, String to, String story) {
    return Mutants.script(what, file, from, to, "MarkStories#" + story);
  }

  private static Mutants java(String what, String file, String from, String to, String story) {
    return one(what, JAVA + file + ".java", from, to, "MarkStories#" + story);
  }
}
