package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.node.MemoryNode;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that is late again and again")
class SlowNodeTest {
  private static final Duration TIMEOUT = Duration.ofMillis(400);

  /** So many rounds of an attempt wait for it, before it counts as slow. */
  private static final Duration LATE = TIMEOUT.multipliedBy(3);

  private static final Duration AT_ONCE = Duration.ofMillis(600);
  private static final int TRIES = 5;

  private static final QuorumPolicy PATIENT =
      new QuorumPolicy() {
        @Override
        public boolean isQuorum(NodeSet nodes) {
          return QuorumPolicy.majority().isQuorum(nodes);
        }

        @Override
        public Duration nodeTimeout(Duration lease) {
          return TIMEOUT;
        }
      };

  private final MemoryNodes nodes = new MemoryNodes(3);
  private final LockManager locks = RedlockLocks.over(nodes.clients()).policy(PATIENT).manager();
  private int names;

  @AfterEach
  void close() {
    locks.close();
    nodes.close();
  }

  /**
   * How long it takes to find that the vote is split. The name is a new one: what an attempt leaves
   * on a node until its release comes would be a second no to the next.
   */
  private Duration refusal() {
    String name = "l" + names++;
    nodes.get(0).put(name, "somebody", Duration.ofHours(1));
    long begun = System.nanoTime();
    assertEquals(Optional.empty(), locks.lock(name).tryAcquire());
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private void assertWaits() {
    Duration took = refusal();
    assertTrue(took.compareTo(LATE) >= 0, () -> "not waited for: " + took);
  }

  @Test
  @DisplayName("is not waited for where the others' votes are split, until it is in time again")
  void notWaitedFor() {
    MemoryNode slow = nodes.get(1);
    slow.hang();
    assertWaits();
    Duration best = refusal();
    for (int i = 1; i < TRIES && best.compareTo(AT_ONCE) >= 0; i++) {
      best = refusal();
    }
    Duration quickest = best;
    assertTrue(quickest.compareTo(AT_ONCE) < 0, () -> "waited for each time: " + quickest);
    slow.up();
    nodes.get(2).die(); // so that without the slow one there is no quorum
    Await.until("it is in time", this::isTaken);
    nodes.get(2).up();
    slow.hang();
    assertWaits();
  }

  private boolean isTaken() {
    try {
      Optional<Lease> lease = locks.lock("another").tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent();
    } catch (LockException noQuorum) {
      return false;
    }
  }
}
