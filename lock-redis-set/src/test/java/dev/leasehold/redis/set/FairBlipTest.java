package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.RespProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("lock.redis.fair: many that wait briefly, and a connection that breaks once")
class FairBlipTest {
  /** A turn takes a millisecond or two, and all of them have to fit into the wait. */
  private static final int THREADS = Integer.getInteger("leasehold.blip.threads", 15);

  private static final Duration WAIT = Duration.ofMillis(50);
  private static final Duration BLIP = Duration.ofMillis(300);

  /** A machine that stalls in one of them may not stall in the next. */
  private static final int ROUNDS = 3;

  private final AtomicLong grants = new AtomicLong();
  private final AtomicInteger holders = new AtomicInteger();
  private volatile boolean overlapped;
  private final AtomicBoolean over = new AtomicBoolean();

  private void loop(DistributedLock lock) {
    while (!over.get()) {
      try {
        Optional<Lease> lease = lock.tryAcquire(WAIT);
        if (lease.isPresent()) {
          if (holders.incrementAndGet() > 1) {
            overlapped = true;
          }
          grants.incrementAndGet();
          holders.decrementAndGet();
          lease.get().release();
        }
      } catch (LockStoreException broken) {
        Thread.onSpinWait(); // as a service that tries again with its next request
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private Duration untilSoManyMore(long more) {
    long before = grants.get();
    long begun = System.nanoTime();
    Await.until("they are served", () -> grants.get() >= before + more);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** How long it takes until as many are served as there are threads. */
  private Duration blip(RespProxy proxy) {
    ActiveFault refused = proxy.refuse();
    proxy.cutAll();
    Await.pass(BLIP);
    refused.close();
    Duration next = untilSoManyMore(1);
    Duration all = next.plus(untilSoManyMore(THREADS));
    System.out.println("the next after " + next + ", as many as there are threads after " + all);
    return all;
  }

  @Test
  @DisplayName("waiters that gave up meanwhile do not delay the others, and never do two hold it")
  void servedAgain() throws Exception {
    List<Thread> threads = new ArrayList<>();
    try (TestServer server = ServerKind.EMBEDDED.start();
        RespProxy proxy = RespProxy.inFrontOf("127.0.0.1", server.port());
        LockManager locks =
            LockManager.open(
                LockSettings.of(
                    Map.of(
                        "lock.backend", "redis-set",
                        "lock.redis.uri", proxy.uri(),
                        "lock.redis.connect-timeout", "30s",
                        "lock.redis.fair", "true")))) {
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(() -> loop(locks.lock("l")), "loop-" + i);
        threads.add(thread);
        thread.start();
      }
      untilSoManyMore(THREADS);
      Duration most = TimeScale.seconds(6);
      Duration best = most;
      for (int i = 0; i < ROUNDS && best.compareTo(most) >= 0; i++) {
        best = blip(proxy);
      }
      Duration all = best;
      assertFalse(overlapped, "two held it at one time");
      assertTrue(all.compareTo(most) < 0, () -> "all are served after " + all + " at best");
    } finally {
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }
}
