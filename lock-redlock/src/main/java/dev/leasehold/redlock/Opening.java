package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Opens all nodes at once; a quorum of them is enough. */
final class Opening {
  private final List<Member> members;
  private final ReentrantLock mutex = new ReentrantLock();

  /** The quorum's guarantees once it is open; a node that joins later must have them. */
  private volatile Set<Guarantee> promised = Set.of();

  Opening(List<Member> members) {
    this.members = members;
  }

  /** Sets what a node that joins later must guarantee. */
  void promise(Set<Guarantee> guarantees) {
    promised = Set.copyOf(guarantees);
  }

  void open(StoreContext context, QuorumPolicy policy) {
    List<CompletableFuture<Void>> late = new ArrayList<>();
    for (Member member : members) {
      StoreContext own = new NodeContext(context, member.toString());
      if (member.store instanceof ReconnectingNode node) {
        node.admission(store -> admit(member, store));
        late.add(onThread(() -> node.start(own), context.label()));
      } else {
        member.store.start(own);
        admit(member, member.store);
      }
    }
    try {
      CompletableFuture.allOf(late.toArray(new CompletableFuture<?>[0])).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    NodeSet open = NodeSet.where(members.size(), i -> isOpen(members.get(i)));
    if (!policy.isQuorum(open)) {
      throw new LockStoreException(
          Kind.UNREACHABLE,
          "no quorum of the nodes could be reached; down are "
              + members.stream().filter(member -> !isOpen(member)).toList());
    }
  }

  private static boolean isOpen(Member member) {
    return !(member.store instanceof ReconnectingNode node) || node.isOpen();
  }

  /**
   * On threads of its own: with an executor that runs tasks in the caller, or a full one, opening
   * would wait for itself.
   */
  private static CompletableFuture<Void> onThread(Runnable work, String label) {
    return CompletableFuture.runAsync(
        work,
        task -> {
          Thread thread = new Thread(task, "leasehold-open-" + label);
          thread.setDaemon(true);
          thread.start();
        });
  }

  private void admit(Member member, LeaseStore store) {
    if (!store.guarantees().containsAll(without(promised))) {
      throw new LockConfigurationException(
          member + " promises " + store.guarantees() + ", and the other nodes " + promised);
    }
    if (!(store instanceof IdentifiedStore known)) {
      return;
    }
    mutex.lock();
    try {
      for (Member other : members) {
        if (other != member && other.serverId().equals(known.serverId())) {
          throw new LockConfigurationException(
              member + " and " + other + " are one server: two names of it would be two votes");
        }
      }
      member.claim(known.serverId());
    } finally {
      mutex.unlock();
    }
  }

  private static Set<Guarantee> without(Set<Guarantee> promised) {
    return promised.stream()
        .filter(guarantee -> guarantee != Guarantee.QUORUM)
        .collect(Collectors.toUnmodifiableSet());
  }
}
