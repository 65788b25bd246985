package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store that can be a node of a quorum with semaphores. There each permit is a numbered
 * <i>slot</i>, held by a token that a majority of nodes has stored for that slot: if each node
 * merely counted permits, three nodes with two permits each would allow three holders.
 */
public interface SlotStore extends LeaseStore {

  /** Most slots that a name may have: nodes and clients examine each of them. */
  int MOST_SLOTS = 10_000;

  /**
   * Returns a view whose leases each hold these slots: all or none. A node never grants other slots
   * instead. A request with a different number of permits fails with {@link #anotherNumber}. Fences
   * are larger than all earlier ones of any of these slots. Renewals and releases of a token may go
   * through any such view.
   *
   * @param slots each 0 to {@code of - 1}, without duplicates
   * @param of number of permits of the name, 1 to {@link #MOST_SLOTS}
   */
  SlotView slots(List<Integer> slots, int of);

  /** As {@link PermitStore#count}. */
  CompletionStage<PermitStore.Permits> countSlots(String name);

  /** As {@link PermitStore#anotherNumber}, for a quorum, where the number cannot be changed. */
  static LockConfigurationException anotherNumber(String name, long asked, long number) {
    return PermitStore.anotherNumber(
        name, asked, number, "use another name, since on a quorum it can't be changed");
  }

  /** A view of certain slots. */
  interface SlotView extends QuorumNode {

    /** As {@link #vote}; a refusal also lists the slots that are free. */
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
   * A node's answer to {@link SlotView#ask}.
   *
   * @param free if refused: free slots, beginning with the first after the caller's own first slot;
   *     possibly not all of them, but at least as many as the caller wants if that many are free
   */
  record SlotVote(AcquireResult result, List<Integer> free) {
    /** Copies the list. */
    public SlotVote {
      free = List.copyOf(free);
    }
  }
}
