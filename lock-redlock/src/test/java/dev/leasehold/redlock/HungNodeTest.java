package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that hangs, of any kind")
class HungNodeTest {
  private static final int MOST = 1000;

  /** What it was asked while it hangs is never answered. */
  private static final class Hanging extends Delegate {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean hangs;

    Hanging(QuorumNode node) {
      super(node);
    }

    @Override
    public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
      return answer(super.vote(request, proposal));
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return answer(super.release(lease));
    }

    private <T> CompletionStage<T> answer(CompletionStage<T> prompt) {
      asked.incrementAndGet();
      return hangs ? new CompletableFuture<>() : prompt;
    }
  }

  @Test
  @DisplayName("is not requested for ever: its client may keep each call until the answer arrives")
  void bounded() {
    try (MemoryNodes nodes = new MemoryNodes(3)) {
      List<QuorumNode> clients = nodes.clients();
      Hanging sick = new Hanging(clients.get(2));
      List<LeaseStore> all = List.of(clients.get(0), clients.get(1), sick);
      try (LockManager locks =
          LockManager.over(RedlockLocks.over(all).open())
              .commandTimeout(Duration.ofSeconds(1))
              .build()) {
        use(locks, 10);
        sick.hangs = true;
        int before = sick.asked.get();
        Await.until("it is asked hardly any more", () -> !isAsked(locks, sick));
        int kept = sick.asked.get() - before;
        assertTrue(kept >= MOST, "given up too soon: " + kept);
        use(locks, 10_000);
        int more = sick.asked.get() - before - kept;
        assertTrue(more < MOST, "asked all the same: " + more);
        sick.hangs = false;
        Await.until("it is asked each time again", () -> isAsked(locks, sick));
      }
    }
  }

  private static boolean isAsked(LockManager locks, Hanging sick) {
    int before = sick.asked.get();
    use(locks, 100);
    return sick.asked.get() - before >= 100;
  }

  private static void use(LockManager locks, int times) {
    for (int i = 0; i < times; i++) {
      String name = "l" + i;
      Await.until("a lock is had and given back", () -> isUsed(locks, name));
    }
  }

  /** False where the machine stood still for a second, in which no node's answer was in time. */
  private static boolean isUsed(LockManager locks, String name) {
    try {
      Optional<Lease> lease = locks.lock(name).tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockStoreException late) {
      return false;
    }
  }
}
