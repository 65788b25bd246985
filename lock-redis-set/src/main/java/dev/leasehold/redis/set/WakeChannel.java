package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletionStage;

/**
 * How a release reaches this store's waiters: what the scripts need to publish, and the listening.
 * Thread-safe.
 */
interface WakeChannel extends AutoCloseable {

  /** {@code PUBLISH} or {@code SPUBLISH}. */
  byte[] publish();

  /** What the channels of all stores that wait for a name begin with. */
  byte[] prefix(String name);

  /** What is published. */
  byte[] message(String name);

  /** "1" if a publish tells how many received, "0" if it counts one node's alone. */
  byte[] counts();

  /** As {@link dev.leasehold.lock.spi.LeaseStore#watch}. */
  CompletionStage<Watch> watch(String name, Runnable wakeUp);

  /** Ends all listening. The connection goes with the {@link Redis}, which is closed next. */
  @Override
  void close();
}
