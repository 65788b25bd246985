package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.name.Sharing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is recorded of one name's holds: those that exist (at most one for an exclusive lock),
 * those that are lost, the lease that is kept without one, and the releases under way. {@link
 * Losses}, {@link Releases} and {@link LeaseExtension} are views of it with the operations on one
 * part each. They have no state of their own and are created for each use, so a held name costs no
 * memory for them. Guarded by the name's mutex; {@link #openLease} and, as a hint, {@link
 * #newestHold} are also read without it.
 */
class HoldRecords {
  /** No ticker reads so. */
  static final long NEVER = Long.MIN_VALUE;

  final Monitor monitor;
  final Renewals renewals;

  /** The waiters that may get a lease that is released here. */
  final Successors waiting;

  /**
   * The hold that was added last, of those that are neither released nor lost: the holds are the
   * links of a list.
   */
  @Nullable Hold newestHold;

  /** The latest of the leases that may be shared. */
  @Nullable RemoteLease newestLease;

  /** The lease that owners join without the mutex. */
  volatile @Nullable OpenLease openLease;

  Leftovers leftovers = Leftovers.NONE;

  /** The lease that has no hold and is kept; null if there is none. */
  @Nullable Idle idle;

  /**
   * The number of releases, and of renewals before a hand-over, under way: until they end, the name
   * is not vacant.
   */
  int underWay;

  /** When the last hold ended; {@link #NEVER} if none has. */
  long lastLeft = NEVER;

  /** A lease without a hold, and until when it is kept. */
  record Idle(RemoteLease lease, long until) {}

  HoldRecords(Monitor monitor, Renewals renewals, Successors waiting) {
    this.monitor = monitor;
    this.renewals = renewals;
    this.waiting = waiting;
  }

  final Sharing sharing() {
    return monitor.services().sharing();
  }

  /** Returns the leftovers, to which something is added. */
  final Leftovers ownLeftovers() {
    leftovers = leftovers.own();
    return leftovers;
  }

  // ---- the holds that are neither released nor lost ----

  final void add(Hold hold) {
    hold.next = newestHold;
    newestHold = hold;
  }

  final void remove(Hold hold) {
    Hold before = null;
    for (Hold one = newestHold; one != null; before = one, one = one.next) {
      if (one == hold) {
        if (before == null) {
          newestHold = one.next;
        } else {
          before.next = one.next;
        }
        one.next = null; // one that is kept must not keep others
        return;
      }
    }
  }

  final @Nullable Hold holdOf(Object owner) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
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
  final boolean seemsHeldBy(Object owner) {
    Hold seen = newestHold;
    return seen != null && seen.isOwnedBy(owner);
  }

  /** Returns a hold over this lease; null if there is none any more. */
  final @Nullable Hold holdOver(RemoteLease lease) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        return hold;
      }
    }
    return null;
  }

  /** Returns whether a hold over this lease is renewed automatically. */
  final boolean isAutomaticOver(RemoteLease lease) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease && hold.isAutomatic()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the hold over this lease with the earliest deadline; null if there is none any more.
   */
  final @Nullable Hold firstToEnd(RemoteLease lease) {
    Hold earliest = null;
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease && (earliest == null || hold.deadline() - earliest.deadline() < 0)) {
        earliest = hold;
      }
    }
    return earliest;
  }

  /** Returns a hold whose deadline has passed; null if there is none. */
  final @Nullable Hold holdPast(long now) {
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.deadline() - now <= 0) {
        return hold;
      }
    }
    return null;
  }

  /** Returns all holds over this lease now. */
  final List<Hold> holdsOver(RemoteLease lease) {
    List<Hold> over = new ArrayList<>(1);
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      if (hold.remote == lease) {
        over.add(hold);
      }
    }
    return over;
  }

  /** Returns all holds now. */
  final List<Hold> allHolds() {
    List<Hold> all = new ArrayList<>(1);
    for (Hold hold = newestHold; hold != null; hold = hold.next) {
      all.add(hold);
    }
    return all;
  }
}
