package dev.leasehold.lock.internal.acquire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waiters of a name, in the order of their arrival. Guarded by the name's mutex. The waiters
 * themselves are the links, so each is in one list at most.
 */
final class WaiterList {
  private @Nullable Waiter first;
  private @Nullable Waiter last;

  boolean isEmpty() {
    return first == null;
  }

  @Nullable Waiter first() {
    return first;
  }

  /** Returns whether there are waiters other than this one. */
  boolean hasOthersThan(Waiter one) {
    return first != null && (first != one || last != one);
  }

  /** Returns the waiters that are in it now. */
  List<Waiter> all() {
    List<Waiter> all = new ArrayList<>();
    for (Waiter one = first; one != null; one = one.next) {
      all.add(one);
    }
    return all;
  }

  /** Appends a waiter, unless it is here already; it leaves the list where it is. */
  void add(Waiter one) {
    if (one.list == this) {
      return;
    }
    remove(one);
    one.list = this;
    one.previous = last;
    if (last == null) {
      first = one;
    } else {
      last.next = one;
    }
    last = one;
  }

  /** Removes a waiter from the list where it is, if it is in one. */
  static void remove(Waiter one) {
    WaiterList list = one.list;
    if (list == null) {
      return;
    }
    if (one.previous == null) {
      list.first = one.next;
    } else {
      one.previous.next = one.next;
    }
    if (one.next == null) {
      list.last = one.previous;
    } else {
      one.next.previous = one.previous;
    }
    one.list = null;
    one.previous = null;
    one.next = null;
  }
}
