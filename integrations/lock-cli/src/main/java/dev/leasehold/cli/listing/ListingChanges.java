package dev.leasehold.cli.listing;

import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.HoldState;
import dev.leasehold.admin.KindOfLock;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares each listing with the previous one. Not thread-safe. */
public final class ListingChanges {
  /** The most locks that are compared, to limit memory. */
  public static final int MOST = 10_000;

  private final LongSupplier nanos;
  private long seen;
  private Map<Key, ListedLock> before = Map.of();

  /** The longest remaining time seen for each hold, which is about its lease. */
  private Map<HoldId, Duration> leases = Map.of();

  private record Key(String name, KindOfLock kind) {}

  /** Uses this machine's clock. */
  public ListingChanges() {
    this(System::nanoTime);
  }

  ListingChanges(LongSupplier nanos) {
    this.nanos = nanos;
    seen = nanos.getAsLong();
  }

  /** A change of a lock. */
  public enum What {
    /** It has a holder, and had none before. */
    TAKEN,
    /** It is new, without a holder: a latch, or unavailable for a minimum hold. */
    IN_USE,
    /** It has different holders than before, or another number of them. */
    PASSED_ON,
    /** It no longer has a holder, though it may be unavailable for its minimum hold. */
    RELEASED,
    /**
     * A hold expired without a renewal: its holder died, was paused, or could not reach the server.
     * This is inferred: less than half of its lease was left, and that passed before the next
     * listing ended. A fixed lease that is released so late looks the same.
     */
    EXPIRED,
    /** A latch was counted down, or opened again. */
    COUNTED,
    /** Only the number of waiters changed. */
    WAITERS,
    /** It is no longer in use, and had no holder before. */
    ENDED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * A change, and the lock after it; the lock before it if it is no longer listed, or a hold
   * expired.
   */
  public record Change(What what, ListedLock lock) {}

  /**
   * Returns the changes since the last call; the first time, all locks in use.
   *
   * @throws TooManyLocksException if there are more than {@link #MOST}
   */
  public List<Change> next(Iterable<ListedLock> listing) {
    // Some holds are read when the listing begins: counted from its end, one that expired might
    // seem released.
    long begun = nanos.getAsLong();
    Map<Key, ListedLock> now = new LinkedHashMap<>();
    for (ListedLock lock : listing) {
      now.put(new Key(lock.name(), lock.kind()), lock);
      if (now.size() > MOST) {
        throw new TooManyLocksException();
      }
    }
    Duration since = Duration.ofNanos(nanos.getAsLong() - seen);
    Set<Key> expired = expired(now, since);
    List<Change> changes = new ArrayList<>();
    expired.forEach(key -> changes.add(new Change(What.EXPIRED, before(key))));
    Map<Key, Change> others = new LinkedHashMap<>();
    now.forEach(
        (key, lock) -> change(before.get(key), lock).ifPresent(change -> others.put(key, change)));
    before.forEach(
        (key, lock) -> {
          if (!now.containsKey(key)) {
            What what = ids(lock).isEmpty() ? What.ENDED : What.RELEASED;
            others.put(key, new Change(what, lock));
          }
        });
    others.forEach(
        (key, change) -> {
          if (change.what() != What.RELEASED || !expired.contains(key)) {
            changes.add(change);
          }
        });
    leases = leases(now.values());
    before = now;
    seen = begun;
    return changes;
  }

  private ListedLock before(Key key) {
    return Objects.requireNonNull(before.get(key));
  }

  /** Returns the locks that lost a hold which was not renewed. */
  private Set<Key> expired(Map<Key, ListedLock> now, Duration since) {
    return before.entrySet().stream()
        .filter(each -> hasExpired(each.getValue(), now.get(each.getKey()), since))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private boolean hasExpired(ListedLock lock, @Nullable ListedLock now, Duration since) {
    if (now != null && now.holders() > now.holds().size()) {
      return false; // not all holds are known
    }
    Set<HoldId> has = now == null ? Set.of() : ids(now);
    return lock.holds().stream()
        .filter(hold -> hold.state() == HoldState.HELD && !has.contains(hold.id()))
        .anyMatch(hold -> hold.remaining().filter(left -> isOver(hold, left, since)).isPresent());
  }

  private boolean isOver(ListedHold hold, Duration left, Duration since) {
    Duration lease = leases.getOrDefault(hold.id(), left);
    return left.compareTo(since) <= 0 && left.multipliedBy(2).compareTo(lease) < 0;
  }

  private Map<HoldId, Duration> leases(Collection<ListedLock> now) {
    Map<HoldId, Duration> longest = new HashMap<>();
    for (ListedLock lock : now) {
      for (ListedHold hold : lock.holds()) {
        Duration left = hold.remaining().orElse(Duration.ZERO);
        Duration known = leases.getOrDefault(hold.id(), Duration.ZERO);
        longest.put(hold.id(), left.compareTo(known) > 0 ? left : known);
      }
    }
    return longest;
  }

  private static Optional<Change> change(@Nullable ListedLock before, ListedLock now) {
    What what = before == null ? begun(now) : what(before, now);
    return Optional.ofNullable(what).map(w -> new Change(w, now));
  }

  private static What begun(ListedLock now) {
    return ids(now).isEmpty() ? What.IN_USE : What.TAKEN;
  }

  private static @Nullable What what(ListedLock before, ListedLock now) {
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

  /** Returns the ids of the holders. A reservation, or the rest of a minimum hold, has none. */
  private static Set<HoldId> ids(ListedLock lock) {
    return lock.holds().stream()
        .filter(h -> h.state() == HoldState.HELD || h.state() == HoldState.MAINTENANCE)
        .map(ListedHold::id)
        .collect(Collectors.toSet());
  }
}
