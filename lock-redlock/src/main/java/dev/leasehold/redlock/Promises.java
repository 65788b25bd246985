package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A quorum's guarantees, derived from those of its nodes. Stateless. */
final class Promises {
  private Promises() {}

  /** The guarantees of the whole store. */
  static Set<Guarantee> of(List<Member> members) {
    Set<Guarantee> all = of(members, NodeView.LOCKS);
    if (!areAll(members, NodeView.LOCKS, MinimumHold.class)) {
      all.remove(Guarantee.MINIMUM_HOLD);
    }
    if (!areAll(members, NodeView.LOCKS, ReadWriteStore.class)) {
      all.remove(Guarantee.SHARED);
    }
    if (!all.contains(Guarantee.SHARED) || !all.contains(Guarantee.TURNS)) {
      all.remove(Guarantee.WRITERS_TURN);
    }
    all.remove(Guarantee.LATCH);
    all.remove(Guarantee.LATCH_OPENING);
    all.remove(Guarantee.TOGETHER);
    if (!areAll(members, NodeView.LOCKS, RecallStore.class) || !all.contains(Guarantee.FENCING)) {
      all.remove(Guarantee.LINGER);
    }
    if (!areAll(members, NodeView.LOCKS, SlotStore.class) || !all.contains(Guarantee.SLOTS)) {
      all.remove(Guarantee.PERMITS);
      all.remove(Guarantee.SLOTS);
    }
    all.add(Guarantee.QUORUM);
    return all;
  }

  /**
   * Refuses nodes that are fair when the quorum is not: they would wake waiters by tokens for which
   * no client listens.
   */
  static void checkOrder(List<Member> members, Set<Guarantee> promised) {
    for (Member member : members) {
      // The node's own guarantees: its stand-in omits those that can't hold on a quorum.
      LeaseStore node = member.store instanceof LazyStore late ? late.reached() : member.store;
      if (node != null
          && node.guarantees().contains(Guarantee.FAIR)
          && !promised.contains(Guarantee.FAIR)) {
        throw new LockConfigurationException(
            member
                + " grants locks in the order of arrival, and its quorum does not: either all nodes"
                + " must, with fencing tokens, and by votes, as those of redis-set that"
                + " lock.redlock.nodes names, or none");
      }
    }
  }

  /** The guarantees of one kind of lock. */
  static Set<Guarantee> of(List<Member> members, NodeView view) {
    Set<Guarantee> all = EnumSet.allOf(Guarantee.class);
    members.forEach(member -> all.retainAll(view.of(member).guarantees()));
    if (!areAll(members, view, QuorumNode.class)) {
      withoutVotes(all);
    }
    if (!all.contains(Guarantee.FENCING)) {
      all.remove(Guarantee.FAIR);
    }
    return all;
  }

  /**
   * Removes what depends on proposals, which are sent with votes: fences and places in the queues.
   */
  static void withoutVotes(Set<Guarantee> all) {
    all.remove(Guarantee.FENCING);
    all.remove(Guarantee.TURNS);
    all.remove(Guarantee.FAIR);
    all.remove(Guarantee.WRITERS_TURN);
  }

  private static boolean areAll(
      List<Member> members, NodeView view, Class<? extends LeaseStore> type) {
    return members.stream().allMatch(member -> type.isInstance(view.of(member)));
  }
}
