package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.lease.RemoteLease;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
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
  final RemoteLease lease;

  /**
   * The owners' seats. The map compares owners by {@code equals}, which a thread may override; a
   * seat serves only the owner of its hold, compared by identity.
   */
  private final ConcurrentHashMap<Object, Seat> seats = new ConcurrentHashMap<>();

  /** The seat that was added last: the seats are also the links of a list. */
  private volatile @Nullable Seat newest;

  /** The seat last seen taken; a hint, for which any value is correct. */
  private volatile @Nullable Seat seen;

  OpenLease(RemoteLease lease) {
    this.lease = lease;
  }

  private static final class Seat {
    /** The owner's latest hold; null while the seat is closed. */
    final AtomicReference<@Nullable Hold> latest = new AtomicReference<>();

    final @Nullable Seat next;

    /** The time from which no hold begins here; written before the first hold. */
    private long until;

    Seat(@Nullable Seat next) {
      this.next = next;
    }

    void begin(Hold first, long ends) {
      until = ends;
      latest.set(first);
    }

    /** Returns its latest hold if that is this owner's; null if it is another's, or closed. */
    @Nullable Hold latestOf(Object owner) {
      Hold hold = latest.get();
      return hold != null && hold.isOwnedBy(owner) ? hold : null;
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
    Seat seat = seats.get(owner);
    if (seat == null) {
      return null;
    }
    Hold before = seat.latestOf(owner);
    if (before == null || now - seat.until >= 0 || !before.mayComeAgain(options)) {
      return null;
    }
    Hold hold = new Hold(before, now);
    HoldEntry entry = hold.enter();
    return seat.latest.compareAndSet(before, hold) ? entry : null;
  }

  /** Returns an owner's joined hold; null if it has none. */
  @Nullable Hold joinedBy(Object owner) {
    Seat seat = seats.get(owner);
    Hold hold = seat == null ? null : seat.latestOf(owner);
    return hold != null && hold.state() == Hold.State.JOINED ? hold : null;
  }

  /** Returns whether a seat is taken. */
  boolean isAttended() {
    Seat hint = seen;
    if (hint != null && hint.isTaken()) {
      return true;
    }
    for (Seat seat = newest; seat != null; seat = seat.next) {
      if (seat.isTaken()) {
        seen = seat;
        return true;
      }
    }
    return false;
  }

  // ---- under the mutex ----

  /** Returns whether an owner can get a seat: an equal one may have it. */
  boolean hasRoomFor(Object owner) {
    Seat seat = seats.get(owner);
    return seat == null || seat.latest.get() == null || seat.latestOf(owner) != null;
  }

  /** Begins a joined hold, whose owner may rejoin until the given time. */
  void seat(Object owner, Hold first, long until) {
    Seat seat = seats.get(owner);
    if (seat == null) {
      seat = new Seat(newest);
      seats.put(owner, seat);
      newest = seat;
    }
    seat.begin(first, until);
  }

  /** Closes an owner's seat, and passes its joined hold, if any, to the consumer. */
  public void close(Object owner, Consumer<Hold> takes) {
    Seat seat = seats.get(owner);
    if (seat != null && seat.latestOf(owner) != null) {
      close(seat, takes);
    }
  }

  /** Closes all seats, and passes the joined holds to the consumer. */
  public void close(Consumer<Hold> takes) {
    for (Seat seat = newest; seat != null; seat = seat.next) {
      close(seat, takes);
    }
  }

  private static void close(Seat seat, Consumer<Hold> takes) {
    Hold hold = seat.latest.getAndSet(null);
    if (hold != null && hold.takeOver()) {
      takes.accept(hold);
    }
  }
}
