package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.internal.calls.Drift;
import dev.leasehold.lock.internal.lease.Claim;
import dev.leasehold.lock.internal.lease.Recall;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.Monitor;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a name that this process keeps for a while after its last holder here released it,
 * so that the next one needs no round trip ({@code lock.linger}). It is never renewed. It is given
 * back when its time is up, when another manager recalls it, when a claim of this process can't use
 * it, and at close; from then on it can't be taken again. Guarded by the name's mutex.
 */
final class IdleLease {
  private final Monitor monitor;
  private final Releases releases;
  private final Successors waiting;
  private @Nullable RemoteLease lease;
  private long until;

  IdleLease(Monitor monitor, Releases releases, Successors waiting) {
    this.monitor = monitor;
    this.releases = releases;
    this.waiting = waiting;
  }

  boolean isEmpty() {
    return lease == null;
  }

  boolean is(RemoteLease other) {
    return lease == other;
  }

  /** Keeps the lease of a hold that has ended, if it may be kept. Returns whether it is. */
  boolean keep(HoldEntry entry) {
    RemoteLease mine = entry.hold.remote;
    OptionalLong end =
        entry.hold.isAutomatic() && !waiting.areAny()
            ? Recall.keptUntil(mine)
            : OptionalLong.empty();
    if (end.isEmpty() || monitor.isClosing() || mine.deadline() - end.getAsLong() < 0) {
      return false;
    }
    lease = mine;
    until = end.getAsLong();
    mine.watch(until);
    return true;
  }

  /**
   * Returns the lease for a claim of this process, with the next fencing number; null if there is
   * none, or if it does not suit and has been given back.
   */
  @Nullable RemoteLease take(Claim claim) {
    RemoteLease mine = lease;
    if (mine == null) {
      return null;
    }
    boolean suits =
        until - monitor.now() > 0
            && mine.mayPassTo(claim)
            && mine.endsWithin(Drift.wholeMillis(claim.options.lease()))
            && HandOverLimits.suffices(mine, claim, monitor.now());
    if (!suits) {
      giveBack();
      return null;
    }
    lease = null;
    mine.handOvers++;
    return mine;
  }

  /** Gives the lease back to the store, if there is one. */
  void giveBack() {
    RemoteLease mine = lease;
    if (mine != null) {
      lease = null;
      releases.giveBack(mine);
    }
  }

  void recalled(RemoteLease recalled) {
    if (is(recalled)) {
      giveBack();
    }
  }

  void timerRang(RemoteLease rang) {
    if (is(rang) && until - monitor.now() <= 0) {
      giveBack();
    } else if (is(rang)) {
      rang.watch(until);
    }
  }

  /** Handles an answer to a renewal that was sent before the lease had no holder. */
  void renewed(RemoteLease renewed, OptionalLong deadline) {
    if (is(renewed) && deadline.isEmpty()) {
      lease = null; // the store no longer has it
      releases.drop(renewed);
      Recall.end(renewed);
    }
  }

  /** Gives the lease back at a close, which does not wait for the answer. */
  void close() {
    RemoteLease mine = lease;
    if (mine != null) {
      lease = null;
      releases.unused(mine);
    }
  }
}
