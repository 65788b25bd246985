package dev.leasehold.lock.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name's lost holds whose owners have not yet released them, for as long as they can: one whose
 * handles nobody has any more is forgotten. Guarded by the cell's mutex.
 */
final class LostHolds {
  private List<Hold> holds = List.of();

  boolean isEmpty() {
    return holds.isEmpty();
  }

  /** Forgets those that nobody can release any more. */
  void prune() {
    if (!holds.isEmpty()) {
      holds.removeIf(Hold::isOutOfReach);
    }
  }

  /** Keeps a hold in mind, if anybody can release it. */
  void add(Hold hold) {
    if (hold.isEmpty() || hold.isOutOfReach()) {
      return;
    }
    if (holds.isEmpty()) {
      holds = new ArrayList<>(1);
    }
    holds.add(hold);
  }

  /** It was released. */
  void remove(Hold hold) {
    if (!holds.isEmpty()) {
      holds.remove(hold);
    }
  }

  @Nullable Hold of(Object owner) {
    prune();
    for (Hold hold : holds) {
      if (hold.isOwnedBy(owner)) {
        return hold;
      }
    }
    return null;
  }
}
