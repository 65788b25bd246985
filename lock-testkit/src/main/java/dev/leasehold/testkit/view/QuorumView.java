package dev.leasehold.testkit.view;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A view of all servers of a quorum: a lock exists if a majority of them has it.
 *
 * @param views one per server
 */
public record QuorumView(List<ServerView> views) implements ServerView {

  @Override
  public Optional<Entry> look(String lockName) {
    List<Entry> all = views.stream().flatMap(view -> view.look(lockName).stream()).toList();
    for (Entry entry : all) {
      List<Entry> same = all.stream().filter(e -> e.value().equals(entry.value())).toList();
      if (same.size() > views.size() / 2) {
        return Optional.of(new Entry(entry.value(), forHowLong(same)));
      }
    }
    return Optional.empty();
  }

  /** The time for which a majority of all servers keeps the entry. */
  private Optional<Duration> forHowLong(List<Entry> same) {
    return same.stream()
        .sorted(Comparator.comparing(Entry::left).reversed())
        .skip(views.size() / 2)
        .findFirst()
        .flatMap(Entry::ttl);
  }

  @Override
  public void remove(String lockName) {
    views.forEach(view -> view.remove(lockName));
  }

  @Override
  public void put(String lockName, String holder, Duration ttl) {
    views.forEach(view -> view.put(lockName, holder, ttl));
  }

  /**
   * A waiter is in line if most servers have it, including all on which the lock is held: until
   * then its request is in flight to the others, which may grant it. No waiter is in line if all
   * servers say so.
   */
  @Override
  public boolean hasWaiting(String lockName, long waiters) {
    List<ServerView> others =
        views.stream().filter(view -> !view.hasWaiting(lockName, waiters)).toList();
    return waiters == 0
        ? others.isEmpty()
        : 2 * others.size() < views.size()
            && others.stream().allMatch(view -> view.look(lockName).isEmpty());
  }

  @Override
  public OptionalLong changes() {
    return views.stream().allMatch(view -> view.changes().isPresent())
        ? OptionalLong.of(views.stream().mapToLong(view -> view.changes().getAsLong()).sum())
        : OptionalLong.empty();
  }

  @Override
  public void close() {
    views.forEach(ServerView::close);
  }
}
