package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A node whose store throws an Error")
class NodeErrorTest {
  private static final Duration BRIEF = Duration.ofSeconds(6);
  private static final LockOptions RENEWED = LockOptions.builder().automaticLease(BRIEF).build();

  /** Throws the first time that it is asked for this. */
  private static final class Throwing extends Delegate {
    private final Op op;
    final AtomicInteger asked = new AtomicInteger();

    Throwing(QuorumNode node, Op op) {
      super(node);
      this.op = op;
    }

    private void asked(Op what) {
      if (what == op && asked.getAndIncrement() == 0) {
        throw new AssertionError("an Error, thrown by the test");
      }
    }

    @Override
    public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
      asked(Op.ACQUIRE);
      return super.vote(request, proposal);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      asked(Op.RENEW);
      return super.renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      asked(Op.RELEASE);
      return super.release(lease);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
      asked(Op.RELEASE);
      return super.release(lease, run);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ACQUIRE", "RENEW", "RELEASE"})
  @DisplayName("is asked again, and nothing stays on it")
  void askedAgain(Op op) throws Exception {
    try (MemoryNodes nodes = new MemoryNodes(3)) {
      List<QuorumNode> clients = new ArrayList<>(nodes.clients());
      Throwing throwing = new Throwing(clients.get(0), op);
      clients.set(0, throwing);
      try (LockManager locks = RedlockLocks.over(clients).manager()) {
        Lease lease = locks.lock("l", RENEWED).acquire();
        Await.until("it has thrown", () -> op != Op.RENEW || throwing.asked.get() > 1);
        lease.ensureValid();
        // A majority is enough: a release before the last node's turn is one it need not be asked.
        Await.until("every node has it, one by a renewal", () -> nodes.keeping("l") == 3);
        lease.release();
        Await.until("nothing is left on any node", () -> nodes.keeping("l") == 0);
        assertEquals(2, Math.min(2, throwing.asked.get()), "it was asked again");
      }
    }
  }

  @Test
  @DisplayName("or that answers less than it was asked: the others' renewals count")
  void fewerAnswers() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (MemoryNodes nodes = new MemoryNodes(3)) {
      List<QuorumNode> clients = new ArrayList<>(nodes.clients());
      QuorumNode one =
          new Delegate(clients.get(0)) {
            @Override
            public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
              asked.incrementAndGet();
              return List.of();
            }
          };
      clients.set(0, one);
      try (LockManager locks = RedlockLocks.over(clients).manager()) {
        Lease lease = locks.lock("l", RENEWED).acquire();
        Await.until("it is asked", () -> asked.get() > 0);
        Duration end = BRIEF.plusNanos(System.nanoTime());
        Await.until("what it had is over", () -> System.nanoTime() - end.toNanos() > 0);
        lease.ensureValid();
        assertTrue(nodes.keeping("l") >= 2, "the others keep it");
        lease.release();
      }
    }
  }
}
