package dev.leasehold.lock.internal.acquire;

import java.util.ArrayList;
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

  /** The waiters that don't queue: they ask once, or re-enter and need a longer lease. */
  private final Chain besides = new Chain();

  WaiterList(boolean fair) {
    this.fair = fair;
  }

  /** A doubly linked list; a waiter is in one at most. */
  static final class Chain {
    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** Appends a waiter, unless it is here already; it leaves the other list if it is there. */
    void add(Waiter one) {
      if (one.chain == this) {
        return;
      }
      if (one.chain != null) {
        one.chain.remove(one);
      }
      one.chain = this;
      one.previous = last;
      if (last == null) {
        first = one;
      } else {
        last.next = one;
      }
      last = one;
    }

    /** Removes a waiter if it is here. */
    void remove(Waiter one) {
      if (one.chain != this) {
        return;
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
