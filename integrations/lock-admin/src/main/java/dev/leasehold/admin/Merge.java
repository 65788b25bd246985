package dev.leasehold.admin;

import dev.leasehold.admin.Servers.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Merges the answers of several nodes about a name into one. */
final class Merge {
  private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  /** A hold, and the stored values on the nodes that have it. */
  record Found(ListedHold hold, Stored.Hold stored, List<Integer> nodes) {}

  /** A lock with its holds and waiters. */
  record Whole(ListedLock entry, List<Found> holds, List<QueuedWaiter> waiters) {}

  private record On<T>(int node, T value) {}

  private final Servers nodes;
  private final String name;

  private Merge(Servers nodes, String name) {
    this.nodes = nodes;
    this.name = name;
  }

  /** Returns the locks of a name, one for each kind, in the order of {@link KindOfLock}. */
  static List<Whole> of(Servers nodes, String name, List<Answer<List<Stored.Lock>>> answers) {
    Map<KindOfLock, List<On<Stored.Lock>>> byKind = new EnumMap<>(KindOfLock.class);
    for (Answer<List<Stored.Lock>> answer : answers) {
      for (Stored.Lock lock : answer.value() == null ? List.<Stored.Lock>of() : answer.value()) {
        byKind
            .computeIfAbsent(withoutOrder(lock.kind()), kind -> new ArrayList<>())
            .add(new On<>(answer.node(), lock));
      }
    }
    Merge merge = new Merge(nodes, name);
    return byKind.values().stream().map(merge::whole).toList();
  }

  /** Returns the kind regardless of fairness: nodes with different queues may disagree about it. */
  private static KindOfLock withoutOrder(KindOfLock kind) {
    return switch (kind) {
      case FAIR_LOCK -> KindOfLock.LOCK;
      case REDISSON_FAIR_LOCK -> KindOfLock.REDISSON_LOCK;
      default -> kind;
    };
  }

  private Whole whole(List<On<Stored.Lock>> locks) {
    Map<String, List<On<Stored.Hold>>> byToken = new LinkedHashMap<>();
    Map<String, List<On<Stored.Waiter>>> byWaiter = new LinkedHashMap<>();
    for (On<Stored.Lock> lock : locks) {
      for (Stored.Hold hold : lock.value().holds()) {
        byToken
            .computeIfAbsent(hold.side() + " " + hold.token(), token -> new ArrayList<>())
            .add(new On<>(lock.node(), hold));
      }
      for (Stored.Waiter waiter : lock.value().waiters()) {
        byWaiter
            .computeIfAbsent(waiter.id(), id -> new ArrayList<>())
            .add(new On<>(lock.node(), waiter));
      }
    }
    List<Found> holds = byToken.values().stream().map(this::hold).sorted(ORDER).toList();
    Stored.Lock longest =
        locks.stream().map(On::value).max(Comparator.comparing(Stored.Lock::holders)).orElseThrow();
    KindOfLock kind =
        locks.stream()
            .map(lock -> lock.value().kind())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    ListedLock entry =
        new ListedLock(
            name,
            kind,
            holds.stream().map(Found::hold).toList(),
            Math.max(longest.holders(), holds.size()),
            locks.stream().mapToLong(lock -> lock.value().waiting()).max().orElse(0),
            locks.stream().flatMapToInt(lock -> lock.value().permits().stream()).findFirst(),
            locks.stream().flatMapToLong(lock -> lock.value().missing().stream()).findFirst(),
            locks.stream().flatMap(lock -> lock.value().ends().stream()).findFirst());
    return new Whole(entry, holds, waiters(byWaiter));
  }

  /** Holds with a quorum first, then by remaining time, longest first. */
  private static final Comparator<Found> ORDER =
      Comparator.comparing((Found found) -> !found.hold().votes().enough())
          .thenComparing(found -> left(found.hold().remaining()), Comparator.reverseOrder());

  private static Duration left(Optional<Duration> remaining) {
    return remaining.orElse(FOREVER);
  }

  private Found hold(List<On<Stored.Hold>> on) {
    List<On<Stored.Hold>> longestFirst =
        on.stream()
            .sorted(
                Comparator.comparing(
                    (On<Stored.Hold> each) -> left(each.value().remaining()),
                    Comparator.reverseOrder()))
            .toList();
    List<Integer> has = new ArrayList<>();
    Optional<Duration> remaining = longestFirst.get(0).value().remaining();
    for (On<Stored.Hold> each : longestFirst) {
      boolean before = nodes.isEnough(has);
      has.add(each.node());
      if (!before && nodes.isEnough(has)) {
        remaining = each.value().remaining(); // with the next one gone, too few have it
      }
    }
    Stored.Hold first = longestFirst.get(0).value();
    OptionalLong fence = fence(on);
    ListedHold hold =
        new ListedHold(
            HoldId.of(first.identity()),
            first.side(),
            first.state(),
            first.holder(),
            remaining,
            first.since().isPresent() ? Reading.since(fence) : Optional.empty(),
            fence,
            on.stream().mapToInt(each -> each.value().permits()).max().orElse(1),
            new Votes(nodes.addresses(has.stream().sorted().toList()), nodes.isEnough(has)),
            first.state() == HoldState.MAINTENANCE
                ? Maintenance.of(first.holder())
                : Optional.empty());
    return new Found(hold, first, List.copyOf(has));
  }

  /**
   * Returns the largest number that all nodes of some quorum have reached, as {@code
   * DistributedLock.inspect()} computes it; without a quorum, the largest of all.
   */
  private OptionalLong fence(List<On<Stored.Hold>> on) {
    List<On<Stored.Hold>> dated = on.stream().filter(o -> o.value().fence().isPresent()).toList();
    boolean enough = nodes.isEnough(dated.stream().map(On::node).toList());
    return dated.stream()
        .mapToLong(each -> each.value().fence().getAsLong())
        .filter(
            number ->
                !enough
                    || nodes.isEnough(
                        dated.stream()
                            .filter(each -> each.value().fence().getAsLong() >= number)
                            .map(On::node)
                            .toList()))
        .max();
  }

  private List<QueuedWaiter> waiters(Map<String, List<On<Stored.Waiter>>> byWaiter) {
    List<List<On<Stored.Waiter>>> inOrder = new ArrayList<>(byWaiter.values());
    inOrder.sort(
        Comparator.comparingDouble(
            (List<On<Stored.Waiter>> on) ->
                on.stream().mapToDouble(each -> each.value().score()).min().orElse(0)));
    List<QueuedWaiter> waiters = new ArrayList<>();
    for (List<On<Stored.Waiter>> on : inOrder) {
      if (waiters.size() == LockDetails.MOST) {
        break;
      }
      Stored.Waiter first = on.get(0).value();
      List<Integer> has = on.stream().map(On::node).sorted().toList();
      waiters.add(
          new QueuedWaiter(
              waiters.size() + 1,
              first.holder(),
              first.side(),
              first.permits(),
              first.waiting(),
              new Votes(nodes.addresses(has), nodes.isEnough(has))));
    }
    return waiters;
  }
}
