package dev.leasehold.redlock;

import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** A quorum's store called directly by a story, without the engine. */
record DirectStore(Scene scene, SimNode node, QuorumLeaseStore store) {
  static final LeaseKey KEY = new LeaseKey("a", "c:1234567890123456789012");

  static DirectStore of(Scene scene) {
    SimNode node = scene.world.node("c");
    QuorumLeaseStore store = scene.quorum(node);
    store.start(context(node));
    return new DirectStore(scene, node, store);
  }

  /** What the engine gives a store, with a command time-out of two seconds. */
  static StoreContext context(SimNode node) {
    return new Context(node);
  }

  CompletableFuture<AcquireResult> acquire(Duration lease) {
    return store.acquire(new AcquireRequest(KEY, lease, IfHeld.REFUSE)).toCompletableFuture();
  }

  CompletableFuture<RenewResult> renew(Duration lease) {
    return store.renew(List.of(new RenewRequest(KEY, lease))).get(0).toCompletableFuture();
  }

  private record Context(SimNode node) implements StoreContext {
    @Override
    public Ticker ticker() {
      return node.ticker();
    }

    @Override
    public Scheduler scheduler() {
      return node.scheduler();
    }

    @Override
    public Executor blockingExecutor() {
      return node.executor();
    }

    @Override
    public Executor executor() {
      return node.executor();
    }

    @Override
    public RandomGenerator random() {
      return node.random();
    }

    @Override
    public String label() {
      return "c";
    }

    @Override
    public Duration commandTimeout() {
      return Duration.ofSeconds(2);
    }

    @Override
    public void tell(NodeEvent event) {}
  }
}
