package dev.leasehold.redlock;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.node.MemoryNodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A call of a node")
class MemberTest {
  @Test
  @DisplayName("that is answered by a watch as its time ends, closes the watch")
  void watch() {
    AtomicReference<StoreContext> given = new AtomicReference<>();
    try (MemoryNodes nodes = new MemoryNodes(3);
        LockManager starts =
            LockManager.over(RedlockLocks.over(startOf(nodes.clients(), given)).open())
                .commandTimeout(Duration.ofMillis(100))
                .build()) {
      requireNonNull(starts);
      AtomicInteger closed = new AtomicInteger();
      Watch begun = closed::incrementAndGet;
      CompletableFuture<Watch> confirmedTooLate =
          new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
              return !complete(begun);
            }
          };
      Member node = new Member(0, nodes.clients().get(0));
      CompletableFuture<Watch> result =
          node.send(requireNonNull(given.get()), () -> confirmedTooLate);
      assertThrows(CompletionException.class, result::join);
      confirmedTooLate.join();
      assertEquals(1, closed.get());
    }
  }

  /** The nodes, and what they are started with. */
  private static List<QuorumNode> startOf(
      List<QuorumNode> nodes, AtomicReference<StoreContext> given) {
    return nodes.stream().<QuorumNode>map(node -> starting(node, given)).toList();
  }

  private static QuorumNode starting(QuorumNode node, AtomicReference<StoreContext> given) {
    return new Delegate(node) {
      @Override
      public void start(StoreContext context) {
        given.set(context);
        super.start(context);
      }
    };
  }
}
