package dev.leasehold.lock.internal.acquire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waiters of a name, in the order of their arrival. Guarded by the name's mutex. The waiters
 * themselves are the links, so each is in one list at most.
 */
final class WaiterList {
  private @Nullable Waiter first;
  private @Nullable Waiter last;

  /** How many waiters each owner has here; null until there is a second waiter. */
  private @Nullable IdentityHashMap<Object, Integer> owners;

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

  /** Returns the waiters of an owner; without a walk if there are none. */
  List<Waiter> of(Object owner) {
    boolean any =
        owners == null ? first != null && first.owner == owner : owners.containsKey(owner);
    if (!any) {
      return List.of();
    }
    List<Waiter> some = all();
    some.removeIf(one -> one.owner != owner);
    return some;
  }

  /**
   * Returns the waiters at the end of the list that have not seen a holder, in order. Unless each
   * waiter asks for itself, a holder that one has seen is known to all before it, so these are all
   * that have seen none.
   */
  Collection<Waiter> lastWithoutHolder() {
    if (last == null || last.sawHolder) {
      assert countWithoutHolder() == 0;
      return List.of();
    }
    Deque<Waiter> some = new ArrayDeque<>();
    for (Waiter one = last; one != null && !one.sawHolder; one = one.previous) {
      some.addFirst(one);
    }
    assert some.size() == countWithoutHolder();
    return some;
  }

  private int countWithoutHolder() {
    int count = 0;
    for (Waiter one = first; one != null; one = one.next) {
      count += one.sawHolder ? 0 : 1;
    }
    return count;
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
      count(last, one);
    }
    last = one;
  }

  private void count(Waiter before, Waiter one) {
    if (owners == null) {
      owners = new IdentityHashMap<>();
      owners.put(before.owner, 1);
    }
    owners.merge(one.owner, 1, Integer::sum);
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
    if (list.first == null) {
      list.owners = null;
    } else if (list.owners != null) {
      list.owners.computeIfPresent(one.owner, (owner, many) -> many == 1 ? null : many - 1);
    }
    one.list = null;
    one.previous = null;
    one.next = null;
  }
}
