package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Publishing;
import java.util.concurrent.CompletionStage;

/**
 * How a release reaches this store's waiters: what the scripts need to publish, and the listening.
 * Thread-safe.
 */
interface WakeChannel extends AutoCloseable {

  /** How the releases of a lock reach the stores that wait for it. */
  Publishing publishing(String name);

  /** As {@link dev.leasehold.lock.spi.LeaseStore#watch}. */
  CompletionStage<Watch> watch(String name, Runnable wakeUp);

  /**
   * The same on behalf of one of several waiters for a name, each of which is told by its token.
   */
  CompletionStage<Watch> watchOwn(LeaseKey waiter, Runnable wakeUp);

  /** Ends all listening. The connection goes with the {@link Redis}, which is closed next. */
  @Override
  void close();
}
