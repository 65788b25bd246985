package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store that can be a node of a quorum with semaphores. There each permit is a <i>slot</i>, told
 * from the others by its number, and held where a majority of nodes has the same token on the same
 * slot: were permits counted on each node, three nodes and two permits would make three holders.
 */
public interface SlotStore extends LeaseStore {

  /**
   * A view whose leases are these slots each: all of them or none. A node never grants others
   * instead. Refuses another number of permits with {@link #anotherNumber}. Its fences are larger
   * than all before of any of these slots. Renewals and releases of a token may go through any such
   * view.
   *
   * @param slots each 0 to {@code of - 1}, none twice
   * @param of how many permits the name has, 1 to {@link PermitStore#MOST_PERMITS}
   */
  SlotView slots(List<Integer> slots, int of);

  /** As {@link PermitStore#count}. */
  CompletionStage<PermitStore.Permits> countSlots(String name);

  /** As {@link PermitStore#anotherNumber}: on a quorum nobody can change the number. */
  static LockConfigurationException anotherNumber(String name, long asked, long number) {
    return PermitStore.anotherNumber(
        name, asked, number, "use another name, since on a quorum it can't be changed");
  }

  /** A view of some slots. */
  interface SlotView extends QuorumNode {

    /** As {@link #vote}, and tells which slots there are instead. */
    CompletionStage<SlotVote> ask(AcquireRequest request, long proposal);

    @Override
    default CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
      return ask(request, proposal).thenApply(SlotVote::result);
    }

    @Override
    default CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return vote(request, 0);
    }
  }

  /**
   * A node's answer.
   *
   * @param free if it is refused: slots that the caller may have now, the first after its own
   *     first, not all if they are many, but no fewer than it wants if there are as many
   */
  record SlotVote(AcquireResult result, List<Integer> free) {
    /** As told. */
    public SlotVote {
      free = List.copyOf(free);
    }
  }
}
