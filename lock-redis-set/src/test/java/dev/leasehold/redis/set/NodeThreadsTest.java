package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
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

  /**
   * Lettuce's provider has no lock of its own over the steps by which it ends a group: see {@link
   * NodeThreads}. A client hardly ever comes between them by itself, so the other node is sent
   * there.
   */
  @Test
  @DisplayName("A node that opens while another one closes waits, and gets threads that run")
  void openedWhileClosing() throws Exception {
    MeanwhileAllocated provider = new MeanwhileAllocated();
    NodeThreads closing = new NodeThreads(provider);
    NodeThreads opening = new NodeThreads(provider);
    EventLoopGroup ended = closing.allocate(NioEventLoopGroup.class);
    CompletableFuture<EventLoopGroup> given = new CompletableFuture<>();
    provider.opener =
        new Thread(() -> given.complete(opening.allocate(NioEventLoopGroup.class)), "opener");
    end(closing);
    EventLoopGroup group = given.get(10, TimeUnit.SECONDS);
    assertFalse(provider.overlapped, "a group was given out while one was returned");
    assertTrue(ended.isShuttingDown());
    assertEquals(1, group.submit(() -> 1).awaitUninterruptibly().getNow());
    end(opening);
  }

  /** While a group is returned, another node opens, on a thread of its own. */
  private static final class MeanwhileAllocated extends DefaultEventLoopGroupProvider {
    private volatile Thread opener;
    private volatile boolean overlapped;
    private volatile boolean returning;

    MeanwhileAllocated() {
      super(1);
    }

    @Override
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
      overlapped |= returning;
      return super.allocate(type);
    }

    @Override
    public Promise<Boolean> release(
        EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
      if (opener.getState() != Thread.State.NEW) {
        return super.release(group, quietPeriod, timeout, unit); // the opener's own, at the end
      }
      returning = true;
      opener.start();
      Await.until(
          "the other node waits, or has its threads",
          () -> opener.getState() == Thread.State.WAITING || !opener.isAlive());
      Promise<Boolean> returned = super.release(group, quietPeriod, timeout, unit);
      returning = false;
      return returned;
    }
  }
}
