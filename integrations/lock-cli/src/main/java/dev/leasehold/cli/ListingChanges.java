package dev.leasehold.cli;

import dev.leasehold.admin.Hold;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.KindOfLock;
import dev.leasehold.admin.LockEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What changed from one listing to the next. Not thread-safe. */
final class ListingChanges {
  /** The most locks that are watched, which bounds memory. */
  static final int MOST = 10_000;

  private Map<Key, LockEntry> before = Map.of();

  private record Key(String name, KindOfLock kind) {}

  /** What happened to a lock. */
  enum What {
    /** It has a holder, and had none. */
    TAKEN,
    /** It has other holders than before. */
    PASSED_ON,
    /** It has no holder any more. */
    RELEASED,
    /** The holders are the same, the number of waiters is not. */
    WAITERS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A change, and the lock after it; if it is no longer listed, as it was before. */
  record Change(What what, LockEntry lock) {}

  /**
   * The changes since the last call, the first time all that are in use.
   *
   * @throws UsageException if there are too many locks
   */
  List<Change> next(Iterable<LockEntry> listing) {
    Map<Key, LockEntry> now = new LinkedHashMap<>();
    for (LockEntry lock : listing) {
      now.put(new Key(lock.name(), lock.kind()), lock);
      if (now.size() > MOST) {
        throw new UsageException(
            "PATTERN: more than " + MOST + " locks match; allowed is one that fewer match");
      }
    }
    List<Change> changes = new ArrayList<>();
    now.forEach((key, lock) -> change(before.get(key), lock).ifPresent(changes::add));
    before.forEach(
        (key, lock) -> {
          if (!now.containsKey(key)) {
            changes.add(new Change(What.RELEASED, lock));
          }
        });
    before = now;
    return changes;
  }

  private static Optional<Change> change(@Nullable LockEntry before, LockEntry now) {
    Set<HoldId> had = before == null ? Set.of() : ids(before);
    Set<HoldId> has = ids(now);
    if (!had.equals(has)) {
      What what = had.isEmpty() ? What.TAKEN : has.isEmpty() ? What.RELEASED : What.PASSED_ON;
      return Optional.of(new Change(what, now));
    }
    boolean sameQueue = before != null && before.waiting() == now.waiting();
    return sameQueue ? Optional.empty() : Optional.of(new Change(What.WAITERS, now));
  }

  private static Set<HoldId> ids(LockEntry lock) {
    return lock.holds().stream().map(Hold::id).collect(Collectors.toSet());
  }
}
