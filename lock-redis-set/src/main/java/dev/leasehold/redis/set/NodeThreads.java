package dev.leasehold.redis.set;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One node's share of the I/O threads that the nodes of all quorums use. A request goes to all
 * nodes at once: if each had I/O threads of its own, each request and each answer would wake a
 * thread.
 *
 * <p>Nothing on these threads waits: neither for a node, nor in user code, which runs elsewhere.
 * The threads end with the last node. Thread-safe.
 */
final class NodeThreads implements EventLoopGroupProvider {
  /**
   * Lettuce's provider counts the clients of a group under a lock of its own, but looks at the
   * count and takes the group out of its table without it. A client that comes between these two
   * steps is given a group that ends at once. That is a matter of a few instructions, and was only
   * seen with a thread stopped there.
   */
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static final EventLoopGroupProvider SHARED =
      new DefaultEventLoopGroupProvider(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

  private final EventLoopGroupProvider shared;
  private final List<EventExecutorGroup> used = new ArrayList<>();
  private boolean closed;

  NodeThreads() {
    this(SHARED);
  }

  /** Of another provider, for tests. */
  NodeThreads(EventLoopGroupProvider shared) {
    this.shared = shared;
  }

  @Override
  public <T extends EventLoopGroup> T allocate(Class<T> type) {
    LOCK.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the node is closed");
      }
      T group = shared.allocate(type);
      used.add(group);
      return group;
    } finally {
      LOCK.unlock();
    }
  }

  @Override
  public int threadPoolSize() {
    return shared.threadPoolSize();
  }

  /** Of what {@link #shutdown} has returned already, nothing. */
  @Override
  public Future<Boolean> release(
      EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
    LOCK.lock();
    try {
      return used.remove(group)
          ? shared.release(group, quietPeriod, timeout, unit)
          : ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * Returns what the node's clients have not returned: one that is asked to connect while it is
   * closed keeps its group.
   */
  @Override
  public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
    Future<Boolean> last = ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    LOCK.lock();
    try {
      closed = true;
      for (EventExecutorGroup group : List.copyOf(used)) {
        last = release(group, quietPeriod, timeout, unit);
      }
    } finally {
      LOCK.unlock();
    }
    return last;
  }
}
