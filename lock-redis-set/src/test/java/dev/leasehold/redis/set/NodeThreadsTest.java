package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The I/O threads that the nodes of all quorums share. */
@SuppressWarnings("deprecation") // the type by which Lettuce asks for it
class NodeThreadsTest {
  private static void end(NodeThreads threads) {
    threads.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  @DisplayName("Nodes share them, and the last one ends them")
  void shared() {
    NodeThreads one = new NodeThreads();
    NodeThreads other = new NodeThreads();
    EventLoopGroup group = one.allocate(NioEventLoopGroup.class);
    assertSame(group, other.allocate(NioEventLoopGroup.class));
    one.release(group, 0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    end(one);
    assertTrue(!group.isShuttingDown(), "ended by the first of two");
    end(other);
    Await.until("its threads have ended", group::isTerminated);
  }

  @Test
  @DisplayName("A closed node gets none, and what its clients still have is returned")
  void closed() {
    NodeThreads node = new NodeThreads();
    EventLoopGroup group = node.allocate(NioEventLoopGroup.class);
    assertSame(group, node.allocate(NioEventLoopGroup.class));
    node.release(group, 0, 2, TimeUnit.SECONDS);
    end(node);
    Await.until("its threads have ended", group::isTerminated);
    assertThrows(IllegalStateException.class, () -> node.allocate(NioEventLoopGroup.class));
    assertTrue(node.release(group, 0, 2, TimeUnit.SECONDS).awaitUninterruptibly().isSuccess());
  }

  /** Lettuce's provider alone fails here: a node is given a group that the other one just ended. */
  @RepeatedTest(20)
  @DisplayName("A node that opens while another one closes gets threads that run")
  void openedWhileClosing() {
    Runnable comesAndGoes =
        () -> {
          for (int i = 0; i < 20; i++) {
            NodeThreads node = new NodeThreads();
            EventLoopGroup group = node.allocate(NioEventLoopGroup.class);
            assertEquals(1, group.submit(() -> 1).awaitUninterruptibly().getNow());
            node.release(group, 0, 2, TimeUnit.SECONDS);
            end(node);
          }
        };
    List.of(CompletableFuture.runAsync(comesAndGoes), CompletableFuture.runAsync(comesAndGoes))
        .forEach(CompletableFuture::join);
  }
}
