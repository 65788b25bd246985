package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a name in this process that are neither released nor lost; of an exclusive lock one
 * at most. Guarded by the cell's mutex.
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
        holds.set(i, holds.get(last)); // their order means nothing
        holds.remove(last);
        return;
      }
    }
  }

  /** Whichever is first; of an exclusive lock the one that there is. */
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

  /** One over this lease, if there still is one. */
  @Nullable Hold over(RemoteLease lease) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).remote == lease) {
        return holds.get(i);
      }
    }
    return null;
  }

  /** Whether one over this lease is to be kept alive. */
  boolean isAutomaticOver(RemoteLease lease) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).remote == lease && holds.get(i).isAutomatic()) {
        return true;
      }
    }
    return false;
  }

  /** The one over this lease that ends first, if there still is one. */
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

  /** One whose deadline has passed, if there is one. */
  @Nullable Hold pastAt(long now) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).deadline() - now <= 0) {
        return holds.get(i);
      }
    }
    return null;
  }

  /** All over this lease now. */
  List<Hold> allOver(RemoteLease lease) {
    return holds.stream().filter(hold -> hold.remote == lease).toList();
  }

  /** All of them now. */
  List<Hold> all() {
    return List.copyOf(holds);
  }
}
