package dev.leasehold.redis.common;

import dev.leasehold.lock.Guarantee;
import java.util.EnumSet;
import java.util.Set;

/** What the scheme with fences and wake-ups guarantees. */
public final class FencedGuarantees {
  private FencedGuarantees() {}

  /** What the scheme guarantees for plain locks. The set is the caller's. */
  public static Set<Guarantee> ofLocks() {
    Set<Guarantee> all = ofKinds();
    all.addAll(EnumSet.of(Guarantee.FENCING, Guarantee.MINIMUM_HOLD));
    return all;
  }

  /** What it guarantees for every kind of lock. The set is the caller's. */
  public static Set<Guarantee> ofKinds() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.WAKE_ONE,
        Guarantee.TURNS);
  }

  /**
   * What a store with all kinds guarantees. The set is the caller's.
   *
   * @param together whether one script may acquire locks of any names
   */
  public static Set<Guarantee> ofStore(boolean together) {
    Set<Guarantee> all = ofLocks();
    all.addAll(EnumSet.of(Guarantee.SHARED, Guarantee.WRITERS_TURN, Guarantee.PERMITS));
    all.addAll(EnumSet.of(Guarantee.LATCH, Guarantee.LATCH_OPENING, Guarantee.LINGER));
    if (together) {
      all.add(Guarantee.TOGETHER);
    }
    return all;
  }

  /**
   * What it guarantees with {@link FencedScripts#voteInOrder}. Acquiring several locks at once is
   * not included: it does not queue for each of them. The set is the caller's.
   */
  public static Set<Guarantee> inOrder() {
    Set<Guarantee> all = ofStore(false);
    all.remove(Guarantee.LINGER); // each release goes to the store, which knows whose turn it is
    all.add(Guarantee.FAIR);
    return all;
  }
}
