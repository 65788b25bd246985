package dev.leasehold.lock.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a name in this process that are neither released nor lost; of an exclusive lock one
 * at most. Guarded by the cell's mutex.
 */
final class HeldHere {
  private final List<Hold> holds = new ArrayList<>(1);

  boolean isEmpty() {
    return holds.isEmpty();
  }

  void add(Hold hold) {
    holds.add(hold);
  }

  void remove(Hold hold) {
    int last = holds.size() - 1;
    for (int i = last; i >= 0; i--) {
      if (holds.get(i) == hold) {
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

  /** One whose deadline has passed, if there is one. */
  @Nullable Hold pastAt(long now) {
    for (int i = 0; i < holds.size(); i++) {
      if (holds.get(i).deadline() - now <= 0) {
        return holds.get(i);
      }
    }
    return null;
  }

  /** All of them now. */
  List<Hold> all() {
    return List.copyOf(holds);
  }
}
