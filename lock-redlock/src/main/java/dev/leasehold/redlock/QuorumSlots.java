package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotView;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Some slots of a semaphore, and which others the nodes reported as free. Thread-safe. */
final class QuorumSlots implements NodeView {
  /** Stands for a node that granted these slots, and so reported no others. */
  private static final Set<Integer> ANY = Set.of(-1);

  private final List<Integer> slots;
  private final int of;

  /** By node: the slots that it would grant instead. */
  private final List<Set<Integer>> free;

  QuorumSlots(List<Integer> slots, int of, int nodes) {
    this.slots = List.copyOf(slots);
    this.of = of;
    this.free = new CopyOnWriteArrayList<>(Collections.nCopies(nodes, Set.of()));
  }

  boolean isFor(int wanted, int number) {
    return slots.size() == wanted && of == number;
  }

  List<Integer> slots() {
    return slots;
  }

  @Override
  public boolean isOneOfSeveral() {
    return true;
  }

  /** Once enough other slots are known that a quorum would grant. */
  @Override
  public boolean isLostBefore(VoteCount count) {
    return others(count).size() >= slots.size();
  }

  @Override
  public SlotView of(Member node) {
    return ((SlotStore) node.store).slots(slots, of);
  }

  @Override
  public CompletionStage<AcquireResult> vote(Member node, AcquireRequest request, long proposal) {
    return of(node)
        .ask(request, proposal)
        .thenApply(
            vote -> {
              free.set(node.index, vote.result() instanceof Granted ? ANY : free(vote));
              return vote.result();
            });
  }

  private static Set<Integer> free(SlotVote vote) {
    return Set.copyOf(vote.free());
  }

  /**
   * The slots that a quorum would grant, as far as known. A node that granted these has reported no
   * others, and counts as granting any.
   */
  List<Integer> others(VoteCount count) {
    Set<Integer> told = new TreeSet<>();
    free.stream().filter(some -> !some.equals(ANY)).forEach(told::addAll);
    return told.stream()
        .filter(
            slot ->
                count.isQuorum(
                    NodeSet.where(
                        free.size(), i -> free.get(i).equals(ANY) || free.get(i).contains(slot))))
        .toList();
  }
}
