package dev.leasehold.lock.internal.acquire;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The waiters of a name, in the order of their arrival. Guarded by the name's mutex. */
final class WaiterList {
  /** Whether each asks the store for itself, in place of the head for all. */
  private final boolean fair;

  private final LinkedHashSet<Waiter> queue = new LinkedHashSet<>();

  /** Those who don't queue: they ask once, or re-enter and need a longer lease. */
  private final LinkedHashSet<Waiter> besides = new LinkedHashSet<>();

  WaiterList(boolean fair) {
    this.fair = fair;
  }

  boolean isFair() {
    return fair;
  }

  /** Whether nobody waits, in the queue or besides. */
  boolean isEmpty() {
    return queue.isEmpty() && besides.isEmpty();
  }

  boolean hasQueue() {
    return !queue.isEmpty();
  }

  void queue(Waiter one) {
    queue.add(one);
  }

  void standBeside(Waiter one) {
    besides.add(one);
  }

  void leaveQueue(Waiter one) {
    queue.remove(one);
  }

  void remove(Waiter one) {
    queue.remove(one);
    besides.remove(one);
  }

  /** The waiter that asks for all, if not each asks for itself. */
  @Nullable Waiter head() {
    return queue.isEmpty() ? null : queue.iterator().next();
  }

  /** Whether others than this one queue. */
  boolean hasOthersThan(Waiter one) {
    return queue.size() > (queue.contains(one) ? 1 : 0);
  }

  /** Those in the queue now. */
  List<Waiter> queued() {
    return List.copyOf(queue);
  }

  /** All now: those in the queue before the others. */
  List<Waiter> all() {
    return Stream.concat(queue.stream(), besides.stream()).toList();
  }

  /** All for whom one asks. */
  List<Waiter> askedForBy(Waiter asker) {
    return !fair && head() == asker ? queued() : List.of(asker);
  }
}
