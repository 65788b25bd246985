package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

final class FairnessRules {
  private static final int OWNERS = 6;
  private static final int FAIR_PART = 3;

  // ---- FA-1 ----

  @Rule("FA-1")
  void noneStarves(Bench bench) {
    String name = bench.name();
    LockManager manager = bench.site().open();
    long end = System.nanoTime() + TimeScale.seconds(1).toNanos();
    List<CompletableFuture<Long>> owners = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      owners.add(
          bench.onThread(
              () -> {
                long served = 0;
                while (System.nanoTime() - end < 0) {
                  try (Lease lease = manager.lock(name).acquire()) {
                    served += lease.holdCount();
                  }
                }
                return served;
              }));
    }
    long[] served = owners.stream().mapToLong(Await::value).sorted().toArray();
    long total = Arrays.stream(served).sum();
    Check.that(
        served[0] * OWNERS * FAIR_PART >= total,
        "the least served of "
            + OWNERS
            + " has a third of its even share or more: "
            + Arrays.toString(served));
  }

  // ---- FA-2 ----

  @Rule("FA-2")
  void orderOfArrival(Bench bench) throws Exception {
    String name = bench.name();
    Lease held = bench.site().open().lock(name).acquire();
    List<Integer> granted = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      int number = i;
      CountDownLatch refused = new CountDownLatch(2);
      LockManager manager =
          bench
              .site()
              .open(
                  b ->
                      b.listener(
                          event -> {
                            if (event instanceof LockEvent.Contended) {
                              refused.countDown();
                            }
                          }));
      all.add(
          manager
              .lock(name)
              .acquireAsync()
              .thenCompose(
                  lease -> {
                    granted.add(number);
                    return lease.releaseAsync();
                  })
              .toCompletableFuture());
      Check.that(
          refused.await(Await.patience().toMillis(), TimeUnit.MILLISECONDS), "the waiter waits");
    }
    held.release();
    all.forEach(Await::value);
    List<Integer> arrival = new ArrayList<>(granted);
    Collections.sort(arrival);
    Check.equal(arrival, granted, "the order of grants");
  }

  // ---- FA-3 ----

  @Rule(value = "FA-3", needs = Need.PROCESSES)
  void deadWaiter(Bench bench) throws Exception {
    String name = bench.name();
    Duration lease = TimeScale.millis(500);
    LockManager here = bench.site().open();
    Worker there = bench.site().worker();
    Lease held = bench.site().open().lock(name).acquire();
    CompletableFuture<?> dead = there.lane("w").acquiring(name, LockOptions.fixed(lease));
    Await.until("it stands in line", () -> bench.site().view().waiters(name) == 1);
    there.kill();
    Check.that(!dead.isDone() || dead.isCompletedExceptionally(), "the dead one has nothing");
    CompletableFuture<Lease> next = here.lock(name).acquireAsync().toCompletableFuture();
    held.release();
    Await.value(next).release();
  }
}
