package dev.leasehold.cli.listing;

import dev.leasehold.admin.Hold;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.HoldState;
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
public final class ListingChanges {
  /** The most locks that are watched, which bounds memory. */
  public static final int MOST = 10_000;

  private Map<Key, LockEntry> before = Map.of();

  private record Key(String name, KindOfLock kind) {}

  /** What happened to a lock. */
  public enum What {
    /** It has a holder, and had none. */
    TAKEN,
    /** It is new without a holder: a latch, or kept for a minimum hold. */
    IN_USE,
    /** It has other holders than before, or another number of them. */
    PASSED_ON,
    /** It has no holder any more, though it may be kept for its minimum hold. */
    RELEASED,
    /** A latch was counted down, or opened anew. */
    COUNTED,
    /** The number of waiters changed, and nothing else. */
    WAITERS,
    /** It is no longer in use, and had no holder. */
    ENDED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A change, and the lock after it; if it is no longer listed, as it was before. */
  public record Change(What what, LockEntry lock) {}

  /**
   * The changes since the last call, the first time all that are in use.
   *
   * @throws TooManyLocksException if there are more than {@link #MOST}
   */
  public List<Change> next(Iterable<LockEntry> listing) {
    Map<Key, LockEntry> now = new LinkedHashMap<>();
    for (LockEntry lock : listing) {
      now.put(new Key(lock.name(), lock.kind()), lock);
      if (now.size() > MOST) {
        throw new TooManyLocksException();
      }
    }
    List<Change> changes = new ArrayList<>();
    now.forEach((key, lock) -> change(before.get(key), lock).ifPresent(changes::add));
    before.forEach(
        (key, lock) -> {
          if (!now.containsKey(key)) {
            changes.add(new Change(ids(lock).isEmpty() ? What.ENDED : What.RELEASED, lock));
          }
        });
    before = now;
    return changes;
  }

  private static Optional<Change> change(@Nullable LockEntry before, LockEntry now) {
    What what = before == null ? begun(now) : what(before, now);
    return Optional.ofNullable(what).map(w -> new Change(w, now));
  }

  private static What begun(LockEntry now) {
    return ids(now).isEmpty() ? What.IN_USE : What.TAKEN;
  }

  private static @Nullable What what(LockEntry before, LockEntry now) {
    Set<HoldId> had = ids(before);
    Set<HoldId> has = ids(now);
    if (!had.equals(has)) {
      return had.isEmpty() ? What.TAKEN : has.isEmpty() ? What.RELEASED : What.PASSED_ON;
    }
    // An entry has the first of very many holds.
    if (!has.isEmpty() && before.holders() != now.holders()) {
      return What.PASSED_ON;
    }
    if (!before.missing().equals(now.missing())) {
      return What.COUNTED;
    }
    return before.waiting() == now.waiting() ? null : What.WAITERS;
  }

  /** Of those that hold it. A reservation, or the rest of a minimum hold, has no holder. */
  private static Set<HoldId> ids(LockEntry lock) {
    return lock.holds().stream()
        .filter(h -> h.state() == HoldState.HELD || h.state() == HoldState.MAINTENANCE)
        .map(Hold::id)
        .collect(Collectors.toSet());
  }
}
