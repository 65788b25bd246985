package dev.leasehold.redlock;

import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The manager's services as one node sees them. The node's blocking calls never run on the caller's
 * thread, and at most eight run at a time, so that a hung node does not use up the threads.
 */
final class NodeContext implements StoreContext {
  private static final int MOST_AT_ONCE = 8;

  private final StoreContext manager;
  private final String node;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private int running;

  NodeContext(StoreContext manager, String node) {
    this.node = node;
    this.manager = manager;
  }

  @Override
  public Executor blockingExecutor() {
    return this::enqueue;
  }

  private void enqueue(Runnable call) {
    mutex.lock();
    try {
      if (running == MOST_AT_ONCE) {
        queue.add(call);
        return;
      }
      running++;
    } finally {
      mutex.unlock();
    }
    manager.executor().execute(() -> work(call));
  }

  private void work(Runnable first) {
    for (Runnable call = first; call != null; call = next()) {
      try {
        call.run();
      } catch (RuntimeException | Error e) { // its future has it; the others still run
        System.getLogger("dev.leasehold.redlock")
            .log(System.Logger.Level.WARNING, "a call to a node threw", e);
      }
    }
  }

  private @Nullable Runnable next() {
    mutex.lock();
    try {
      Runnable call = queue.poll();
      if (call == null) {
        running--;
      }
      return call;
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public Executor executor() {
    return manager.executor();
  }

  @Override
  public Ticker ticker() {
    return manager.ticker();
  }

  @Override
  public Scheduler scheduler() {
    return manager.scheduler();
  }

  @Override
  public RandomGenerator random() {
    return manager.random();
  }

  @Override
  public String label() {
    return manager.label();
  }

  @Override
  public Duration commandTimeout() {
    return manager.commandTimeout();
  }

  @Override
  public void tell(NodeEvent event) {
    manager.tell(
        event instanceof NodeEvent.Quarantined quarantined
            ? new NodeEvent.Quarantined(node, quarantined.left()) // the quorum's name for it
            : event);
  }
}
