package dev.leasehold.lock.internal.acquire;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The waiters of a name, in the order of their arrival. Guarded by the name's mutex. */
final class WaiterList {
  /** Whether each waiter asks the store for itself, instead of the head for all. */
  private final boolean fair;

  private final LinkedHashSet<Waiter> queue = new LinkedHashSet<>();

  /** The waiters that don't queue: they ask once, or re-enter and need a longer lease. */
  private final LinkedHashSet<Waiter> besides = new LinkedHashSet<>();

  WaiterList(boolean fair) {
    this.fair = fair;
  }

  boolean isFair() {
    return fair;
  }

  /** Returns whether there are no waiters, in the queue or beside it. */
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

  /** Returns the first in the queue, which asks for all unless each asks for itself. */
  @Nullable Waiter head() {
    return queue.isEmpty() ? null : queue.iterator().next();
  }

  /** Returns whether the queue has waiters other than this one. */
  boolean hasOthersThan(Waiter one) {
    return queue.size() > (queue.contains(one) ? 1 : 0);
  }

  /** Returns the waiters in the queue now. */
  List<Waiter> queued() {
    return List.copyOf(queue);
  }

  /** Returns all waiters now: those in the queue first. */
  List<Waiter> all() {
    return Stream.concat(queue.stream(), besides.stream()).toList();
  }

  /** Returns the waiters that this one asks for, including itself. */
  List<Waiter> askedForBy(Waiter asker) {
    return !fair && head() == asker ? queued() : List.of(asker);
  }
}
