package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a name in this process that are neither released nor lost; at most one for an
 * exclusive lock. The holds themselves are the links of the list. A view of {@link HoldRecords},
 * guarded by the name's mutex.
 */
class ActiveHolds {
  final HoldRecords records;

  ActiveHolds(HoldRecords records) {
    this.records = records;
  }

  final boolean isEmpty() {
    return records.newestHold == null;
  }

  final void add(Hold hold) {
    hold.next = records.newestHold;
    records.newestHold = hold;
  }

  final void remove(Hold hold) {
    Hold before = null;
    for (Hold one = records.newestHold; one != null; before = one, one = one.next) {
      if (one == hold) {
        if (before == null) {
          records.newestHold = one.next;
        } else {
          before.next = one.next;
        }
        one.next = null; // one that is kept must not keep others
        return;
      }
    }
  }

  /** Returns any hold: of an exclusive lock, the only one; null if there is none. */
  final @Nullable Hold any() {
    return records.newestHold;
  }

  final @Nullable Hold of(Object owner) {
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.isOwnedBy(owner)) {
        return hold;
      }
    }
    return null;
  }

  /**
   * Returns whether the only hold is this owner's, as far as a thread without the mutex sees: a
   * thread that holds the lock itself is never wrong. For an exclusive lock.
   */
  final boolean seemsOf(Object owner) {
    Hold seen = records.newestHold;
    return seen != null && seen.isOwnedBy(owner);
  }

  /** Returns a hold over this lease; null if there is none any more. */
  final @Nullable Hold over(RemoteLease lease) {
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        return hold;
      }
    }
    return null;
  }

  /** Returns whether a hold over this lease is renewed automatically. */
  final boolean isAutomaticOver(RemoteLease lease) {
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease && hold.isAutomatic()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the hold over this lease with the earliest deadline; null if there is none any more.
   */
  final @Nullable Hold firstOver(RemoteLease lease) {
    Hold earliest = null;
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease && (earliest == null || hold.deadline() - earliest.deadline() < 0)) {
        earliest = hold;
      }
    }
    return earliest;
  }

  /** Returns a hold whose deadline has passed; null if there is none. */
  final @Nullable Hold pastAt(long now) {
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.deadline() - now <= 0) {
        return hold;
      }
    }
    return null;
  }

  /** Returns all holds over this lease now. */
  final List<Hold> allOver(RemoteLease lease) {
    List<Hold> over = new ArrayList<>(1);
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        over.add(hold);
      }
    }
    return over;
  }

  /** Returns all holds now. */
  final List<Hold> all() {
    List<Hold> all = new ArrayList<>(1);
    for (Hold hold = records.newestHold; hold != null; hold = hold.next) {
      all.add(hold);
    }
    return all;
  }
}
