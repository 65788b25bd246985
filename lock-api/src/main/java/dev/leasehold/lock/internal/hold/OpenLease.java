package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that owners join and leave without the name's mutex. Each owner that joined under the
 * mutex has a seat, where its holds follow one another; they write nothing that other owners write.
 *
 * <p><b>The invariant.</b> A {@linkplain Hold.State#JOINED joined} hold is in the seat of an open
 * lease, every other hold that is held is in the list of {@link HoldRecords}, and none is in both.
 * One CAS begins a joined hold (the seat's, from a hold that was left), and one ends it (the hold's
 * state): to RELEASED by the handle's user, or to HELD by a step under the mutex. So after closing
 * a lease, a step under the mutex sees all holds over it, and no owner can join unseen.
 *
 * <p><b>The last to leave.</b> A leaving thread checks, after its CAS, whether another seat is
 * taken. If none is, it takes the mutex, checks again and releases the lease. Of several threads
 * that leave at the same time, at least the last finds no seat taken; an owner that joins meanwhile
 * keeps the lease.
 *
 * <p>Seats are created and closed under the mutex, and joined and left by any thread.
 */
public final class OpenLease {
  private static final int SEATS = 8;

  final RemoteLease lease;

  /** A hash table by the owners' identity, with linear probing; at least half of it stays empty. */
  private volatile AtomicReferenceArray<Seat> seats = new AtomicReferenceArray<>(SEATS);

  private int count;

  /** The index of the seat last seen taken; a hint, for which any value is correct. */
  private volatile int seen;

  OpenLease(RemoteLease lease) {
    this.lease = lease;
  }

  private static final class Seat {
    final Object owner;

    /** The time from which no hold begins here. */
    final long until;

    /** The owner's latest hold; null once the seat is closed. */
    final AtomicReference<@Nullable Hold> latest;

    Seat(Object owner, long until, Hold first) {
      this.owner = owner;
      this.until = until;
      this.latest = new AtomicReference<>(first);
    }

    boolean isTaken() {
      Hold hold = latest.get();
      return hold != null && hold.isHeld();
    }
  }

  // ---- by any thread ----

  /**
   * Begins a hold of an owner that had one before and left it; null if it has to take the mutex.
   */
  @Nullable
  public HoldEntry join(Object owner, LockOptions options, long now) {
    Seat seat = seatOf(owner);
    if (seat == null || now - seat.until >= 0) {
      return null;
    }
    Hold before = seat.latest.get();
    if (before == null || !before.mayComeAgain(options)) {
      return null;
    }
    Hold hold = new Hold(before, now);
    HoldEntry entry = hold.enter();
    return seat.latest.compareAndSet(before, hold) ? entry : null;
  }

  /** Returns an owner's joined hold; null if it has none. */
  @Nullable Hold joinedBy(Object owner) {
    Seat seat = seatOf(owner);
    Hold hold = seat == null ? null : seat.latest.get();
    return hold != null && hold.state() == Hold.State.JOINED ? hold : null;
  }

  /** Returns whether a seat is taken. */
  boolean isAttended() {
    AtomicReferenceArray<Seat> all = seats;
    int mask = all.length() - 1;
    int from = seen;
    for (int i = 0; i <= mask; i++) {
      int at = (from + i) & mask;
      Seat seat = all.get(at);
      if (seat != null && seat.isTaken()) {
        if (i > 0) {
          seen = at;
        }
        return true;
      }
    }
    return false;
  }

  private @Nullable Seat seatOf(Object owner) {
    AtomicReferenceArray<Seat> all = seats;
    return all.get(placeOf(owner, all));
  }

  /** Returns the index of an owner's seat, present or not. */
  private static int placeOf(Object owner, AtomicReferenceArray<Seat> all) {
    int hash = System.identityHashCode(owner);
    int mask = all.length() - 1;
    int at = (hash ^ (hash >>> 16)) & mask;
    for (Seat seat = all.get(at); seat != null && seat.owner != owner; seat = all.get(at)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  // ---- under the mutex ----

  /** Begins a joined hold, whose owner may rejoin until the given time. */
  void seat(Object owner, Hold first, long until) {
    int at = placeOf(owner, seats);
    if (seats.get(at) == null && 2 * ++count > seats.length()) {
      seats = grown(seats);
      at = placeOf(owner, seats);
    }
    seats.set(at, new Seat(owner, until, first));
  }

  private static AtomicReferenceArray<Seat> grown(AtomicReferenceArray<Seat> all) {
    AtomicReferenceArray<Seat> twice = new AtomicReferenceArray<>(2 * all.length());
    for (int i = 0; i < all.length(); i++) {
      Seat seat = all.get(i);
      if (seat != null) {
        twice.set(placeOf(seat.owner, twice), seat);
      }
    }
    return twice;
  }

  /** Closes an owner's seat, and passes its joined hold, if any, to the consumer. */
  public void close(Object owner, Consumer<Hold> takes) {
    Seat seat = seatOf(owner);
    if (seat != null) {
      close(seat, takes);
    }
  }

  /** Closes all seats, and passes the joined holds to the consumer. */
  public void close(Consumer<Hold> takes) {
    AtomicReferenceArray<Seat> all = seats;
    for (int i = 0; i < all.length(); i++) {
      Seat seat = all.get(i);
      if (seat != null) {
        close(seat, takes);
      }
    }
  }

  private static void close(Seat seat, Consumer<Hold> takes) {
    Hold hold = seat.latest.getAndSet(null);
    if (hold != null && hold.takeOver()) {
      takes.accept(hold);
    }
  }
}
