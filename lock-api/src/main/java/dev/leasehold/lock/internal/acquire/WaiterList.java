package dev.leasehold.lock.internal.acquire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of a name, in the order of their arrival. Guarded by the name's mutex. The waiters
 * themselves are the links of its two lists, so that a name without waiters costs no memory.
 */
final class WaiterList {
  /** Whether each waiter asks the store for itself, instead of the head for all. */
  private final boolean fair;

  private final Chain queue = new Chain();

  /** How many waiters each owner has in the queue: found without a walk at each hand-over. */
  private final IdentityHashMap<Object, Integer> owners = new IdentityHashMap<>(4);

  /** The waiters that don't queue: they ask once, or re-enter and need a longer lease. */
  private final Chain besides = new Chain();

  WaiterList(boolean fair) {
    this.fair = fair;
  }

  /** A doubly linked list; a waiter is in one at most. */
  static final class Chain {
    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** Appends a waiter that is in neither list. */
    void add(Waiter one) {
      assert one.chain == null;
      one.chain = this;
      one.previous = last;
      if (last == null) {
        first = one;
      } else {
        last.next = one;
      }
      last = one;
    }

    /** Removes a waiter; returns false if it is not here. */
    boolean remove(Waiter one) {
      if (one.chain != this) {
        return false;
      }
      if (one.previous == null) {
        first = one.next;
      } else {
        one.previous.next = one.next;
      }
      if (one.next == null) {
        last = one.previous;
      } else {
        one.next.previous = one.previous;
      }
      one.chain = null;
      one.previous = null;
      one.next = null;
      return true;
    }

    void addTo(List<Waiter> list) {
      for (Waiter one = first; one != null; one = one.next) {
        list.add(one);
      }
    }
  }

  boolean isFair() {
    return fair;
  }

  /** Returns whether there are no waiters, in the queue or beside it. */
  boolean isEmpty() {
    return queue.first == null && besides.first == null;
  }

  boolean hasQueue() {
    return queue.first != null;
  }

  void queue(Waiter one) {
    queue.add(one);
    owners.merge(one.owner, 1, Integer::sum);
  }

  void standBeside(Waiter one) {
    leaveQueue(one);
    besides.add(one);
  }

  void leaveQueue(Waiter one) {
    if (queue.remove(one)) {
      owners.computeIfPresent(one.owner, (owner, many) -> many == 1 ? null : many - 1);
    }
  }

  void remove(Waiter one) {
    leaveQueue(one);
    besides.remove(one);
  }

  /** Returns the first in the queue, which asks for all unless each asks for itself. */
  @Nullable Waiter head() {
    return queue.first;
  }

  /** Returns whether the queue has waiters other than this one. */
  boolean hasOthersThan(Waiter one) {
    return queue.first != null && (queue.first != one || queue.last != one);
  }

  /** Returns the waiters in the queue now. */
  List<Waiter> queued() {
    List<Waiter> all = new ArrayList<>();
    queue.addTo(all);
    return all;
  }

  /** Returns the waiters of this owner in the queue now. */
  List<Waiter> queuedFor(Object owner) {
    if (!owners.containsKey(owner)) {
      return List.of();
    }
    List<Waiter> all = queued();
    all.removeIf(one -> one.owner != owner);
    return all;
  }

  /**
   * Returns the waiters in the queue that have not seen a holder. Unless each asks for itself, they
   * are the last ones: what shows a holder to one shows it to all that came before.
   */
  Collection<Waiter> queuedWithoutHolder() {
    Deque<Waiter> some = new ArrayDeque<>(0);
    for (Waiter one = queue.last; one != null; one = one.previous) {
      if (!one.sawHolder) {
        some.addFirst(one);
      } else if (!fair) {
        break;
      }
    }
    assert withoutHolder() == some.size();
    return some;
  }

  /** Counts the waiters in the queue that have not seen a holder, for assertions. */
  private int withoutHolder() {
    int many = 0;
    for (Waiter one = queue.first; one != null; one = one.next) {
      many += one.sawHolder ? 0 : 1;
    }
    return many;
  }

  /** Returns all waiters now: those in the queue first. */
  List<Waiter> all() {
    List<Waiter> all = queued();
    besides.addTo(all);
    return all;
  }

  /** Returns the waiters that this one asks for, including itself. */
  List<Waiter> askedForBy(Waiter asker) {
    return !fair && head() == asker ? queued() : List.of(asker);
  }
}
