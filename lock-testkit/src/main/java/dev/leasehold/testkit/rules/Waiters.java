package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.fault.Faults;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the rules of waiting share. */
final class Waiters {
  /** A waiter that is not woken would ask again only after half a minute. */
  static final LockOptions HARDLY_POLLING =
      LockOptions.builder()
          .waitStrategy(new WaitStrategy(Duration.ofSeconds(30), Duration.ofSeconds(30)))
          .build();

  private Waiters() {}

  /** A manager whose waiters can be awaited: the latch counts their refusals down. */
  private static LockManager telling(Site site, Faults faults, CountDownLatch refused) {
    return site.open(
        faults,
        b ->
            b.listener(
                event -> {
                  if (event instanceof LockEvent.Contended) {
                    refused.countDown();
                  }
                }));
  }

  /** Waits until a waiter has been refused twice: with its place taken, or as a poller. */
  static CompletableFuture<Lease> waiting(
      Site site, Faults faults, String name, LockOptions options) throws InterruptedException {
    CountDownLatch refused = new CountDownLatch(2);
    LockManager manager = telling(site, faults, refused);
    CompletableFuture<Lease> waiter =
        manager.lock(name, options).acquireAsync().toCompletableFuture();
    Check.that(
        refused.await(Await.patience().toMillis(), TimeUnit.MILLISECONDS), "the waiter waits");
    return waiter;
  }

  /** How many stand in the store's line. */
  static long inLine(Bench bench, String name) {
    return bench.site().view().waiters(name);
  }

  /** The time since a reading of the clock. */
  static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
