package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a name in this process that are neither released nor lost; at most one for an
 * exclusive lock. Guarded by the name's mutex.
 */
final class ActiveHolds {
  /** Of a single hold it is immutable, which is smaller. */
  private List<Hold> holds = List.of();

  boolean isEmpty() {
    return holds.isEmpty();
  }

  void add(Hold hold) {
    if (holds.isEmpty()) {
      holds = List.of(hold);
      return;
    }
    if (holds.size() == 1) {
      holds = new ArrayList<>(holds);
    }
    holds.add(hold);
  }

  void remove(Hold hold) {
    int last = holds.size() - 1;
    for (int i = last; i >= 0; i--) {
      if (holds.get(i) == hold && last == 0) {
        holds = List.of();
        return;
      } else if (holds.get(i) == hold) {
        holds.set(i, holds.get(last)); // the order is irrelevant
        holds.remove(last);
        return;
      }
    }
  }

  /** Returns any hold: of an exclusive lock, the only one; null if there is none. */
  @Nullable Hold any() {
    return holds.isEmpty() ? null : holds.get(0);
  }

  @Nullable Hold of(Object owner) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).isOwnedBy(owner)) {
        return holds.get(i);
      }
    }
    return null;
  }

  /**
   * Returns whether the only hold is this owner's, as far as a thread without the mutex sees: a
   * thread that holds the lock itself is never wrong. For an exclusive lock, whose list is
   * immutable.
   */
  boolean seemsOf(Object owner) {
    List<Hold> seen = holds;
    return seen.size() == 1 && seen.get(0).isOwnedBy(owner);
  }

  /** Returns a hold over this lease; null if there is none any more. */
  @Nullable Hold over(RemoteLease lease) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).remote == lease) {
        return holds.get(i);
      }
    }
    return null;
  }

  /** Returns whether a hold over this lease is renewed automatically. */
  boolean isAutomaticOver(RemoteLease lease) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).remote == lease && holds.get(i).isAutomatic()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the hold over this lease with the earliest deadline; null if there is none any more.
   */
  @Nullable Hold firstOver(RemoteLease lease) {
    Hold first = null;
    for (int i = 0; i < holds.size(); i++) {
      Hold hold = holds.get(i);
      if (hold.remote == lease && (first == null || hold.deadline() - first.deadline() < 0)) {
        first = hold;
      }
    }
    return first;
  }

  /** Returns a hold whose deadline has passed; null if there is none. */
  @Nullable Hold pastAt(long now) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).deadline() - now <= 0) {
        return holds.get(i);
      }
    }
    return null;
  }

  /** Returns all holds over this lease now. */
  List<Hold> allOver(RemoteLease lease) {
    return holds.stream().filter(hold -> hold.remote == lease).toList();
  }

  /** Returns all holds now. */
  List<Hold> all() {
    return List.copyOf(holds);
  }
}
