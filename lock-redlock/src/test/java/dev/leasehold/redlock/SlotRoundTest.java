package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One attempt to get permits of a quorum")
class SlotRoundTest {
  private static final int NODES = 3;
  private static final LeaseKey KEY = new LeaseKey("x", "test:token-of-the-attempt");

  private final AtomicInteger asked = new AtomicInteger();
  private final CompletableFuture<CompletableFuture<AcquireResult>> attempt =
      new CompletableFuture<>();

  /** A node that refuses the first try, and answers the second at once, while it is cancelled. */
  private final class Node extends Delegate implements SlotStore {
    private final SlotStore node;

    Node(QuorumNode node) {
      super(node);
      this.node = (SlotStore) node;
    }

    @Override
    public SlotView slots(List<Integer> slots, int of) {
      return new Slots(node.slots(slots, of));
    }

    @Override
    public CompletionStage<Permits> countSlots(String name) {
      return node.countSlots(name);
    }
  }

  private final class Slots extends Delegate implements SlotStore.SlotView {
    private final SlotStore.SlotView slots;

    Slots(SlotStore.SlotView slots) {
      super(slots);
      this.slots = slots;
    }

    @Override
    public CompletionStage<SlotStore.SlotVote> ask(AcquireRequest request, long proposal) {
      int now = asked.incrementAndGet();
      if (now <= NODES) {
        Held held = new Held(Duration.ofSeconds(1));
        return CompletableFuture.completedFuture(new SlotStore.SlotVote(held, List.of(0, 1)));
      }
      if (now == NODES + 1) {
        attempt.join().cancel(true);
      }
      return CompletableFuture.completedFuture(
          slots.ask(request, proposal).toCompletableFuture().join());
    }
  }

  @Test
  @DisplayName("A grant that arrives after the cancellation is released")
  void cancelled() {
    try (MemoryNodes nodes = new MemoryNodes(NODES)) {
      List<LeaseStore> views =
          nodes.clients().stream().<LeaseStore>map(node -> new Node(node)).toList();
      QuorumLeaseStore store =
          new QuorumLeaseStore(views, QuorumPolicy.majority(), LockOptions.LONGEST_LEASE);
      try (LockManager locks = LockManager.over(store).build()) {
        CompletableFuture<AcquireResult> result =
            store
                .permits(1, 2)
                .acquire(new AcquireRequest(KEY, Duration.ofMinutes(1), IfHeld.REFUSE))
                .toCompletableFuture();
        attempt.complete(result);
        Await.until(
            "the second try has ended, and holds nothing",
            () -> asked.get() == 2 * NODES && Await.value(store.count("x")).held() == 0);
        assertTrue(result.isCancelled());
        Await.until("nothing is kept of its token", () -> store.size() == 0);
        assertTrue(locks.semaphore("x", 2).tryAcquire(2).isPresent());
      }
    }
  }
}
