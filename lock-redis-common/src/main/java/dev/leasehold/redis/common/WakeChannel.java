package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletionStage;

/**
 * How a release reaches this store's waiters: the scripts' arguments for publishing, and the
 * subscription. Thread-safe.
 */
public interface WakeChannel extends AutoCloseable {
  /** How a release of the lock reaches waiting stores. */
  Publishing publishing(String name);

  /** As {@link dev.leasehold.lock.spi.LeaseStore#watch}. */
  CompletionStage<Watch> watch(String name, Runnable wakeUp);

  /** The same for one of several waiters for a name, whose messages have the waiter's token. */
  CompletionStage<Watch> watchOwn(LeaseKey waiter, Runnable wakeUp);

  /**
   * Listens for {@linkplain Publishing#recall recalls} of a lease; also runs when messages may have
   * been missed.
   */
  CompletionStage<Watch> watchRecalls(LeaseKey lease, Runnable recalled);

  /** Ends all watches; the client's connections are closed next. */
  @Override
  void close();
}
