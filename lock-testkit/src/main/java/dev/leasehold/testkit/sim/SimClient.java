package dev.leasehold.testkit.sim;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.util.function.UnaryOperator;

/**
 * The real engine on a simulated machine: clock, timers, executor and randomness are the machine's.
 *
 * <p>Use the asynchronous methods only. {@link LockManager#close} blocks: call it without a grace
 * period and with nothing in flight, or with a short command time-out.
 *
 * @param node the machine
 * @param manager the engine
 */
public record SimClient(SimNode node, LockManager manager) {

  /** Opens the engine with its defaults on a store, which may be built of several connections. */
  public static SimClient open(SimNode node, LeaseStore store) {
    return open(node, store, UnaryOperator.identity());
  }

  /** As {@link #open(SimNode, LeaseStore)}, with custom settings. */
  public static SimClient open(
      SimNode node, LeaseStore store, UnaryOperator<LockManager.Builder> settings) {
    LockManager.Builder builder =
        LockManager.over(store)
            .label(node.name())
            .ticker(node.ticker())
            .scheduler(node.scheduler())
            .workers(node.executor())
            .random(node.world().random())
            .tokenRandom(node.world().random());
    return new SimClient(node, settings.apply(builder).build());
  }

  /** The lock of this name with the manager's options. */
  public DistributedLock lock(String name) {
    return manager.lock(name);
  }

  /** The lock of this name with these options. */
  public DistributedLock lock(String name, LockOptions options) {
    return manager.lock(name, options);
  }
}
