package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Several locks as one, beside RedissonMultiLock of another process over the same names")
class AllOrNoneTest extends BesidePlain {
  private static final String NAMES = "account-1,account-2";

  private LockManager manager;
  private DistributedLock ours;

  @BeforeEach
  void open() {
    manager = RedissonLocks.over(client).manager();
    ours = manager.all(List.of("account-1", "account-2"), PATIENT);
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private String theirs(String operation) {
    return plain.does("main", "multi", NAMES, operation);
  }

  private CompletableFuture<String> theirsWaits() {
    String wait = "wait " + LONG.toMillis();
    return plain.ask("main", "multi", NAMES, wait);
  }

  private static void awaitListener() {
    Await.until("it listens", () -> apps.listeners("account-1") + apps.listeners("account-2") > 0);
  }

  @Test
  @DisplayName("Ours excludes theirs, and our release wakes theirs")
  void oursExcludesTheirs() throws Exception {
    Lease both = ours.acquire();
    assertEquals("false", theirs("try"));
    CompletableFuture<String> waiting = theirsWaits();
    awaitListener();
    both.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertEquals("true", Await.value(waiting));
    assertEquals(Optional.empty(), ours.tryAcquire());
    theirs("unlock");
    ours.tryAcquire().orElseThrow().release();
  }

  @Test
  @DisplayName("Theirs excludes ours, and their unlock wakes ours; a refused owner holds none")
  void theirsExcludesOurs() throws Exception {
    theirs("lock");
    assertEquals(Optional.empty(), ours.tryAcquire());
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    awaitListener();
    theirs("unlock");
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertEquals("false", theirs("try"));
    Await.value(waiting).release();

    plain.does("main", "lock", "account-2", "lock");
    assertEquals(Optional.empty(), ours.tryAcquire());
    Await.until("the first is free again", () -> apps.ttl("account-1") == -2);
    plain.does("main", "lock", "account-2", "unlock");
  }

  @Test
  @DisplayName("A transfer by ours and one by theirs never meet")
  void transfers() {
    assertEquals(1, mostInside(true), "one at a time");
    assertTrue(mostInside(false) > 1, "without a lock they meet");
  }

  /**
   * Three threads of ours, and three of theirs: these in one order, else they wait out 3 s each.
   */
  private int mostInside(boolean locked) {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Boolean>> parts = new ArrayList<>();
    CyclicBarrier together = new CyclicBarrier(6);
    for (int i = 0; i < 6; i++) {
      boolean mine = i % 2 == 0;
      String lane = "lane-" + i;
      parts.add(
          onThread(
              () -> {
                together.await();
                for (int round = 0; round < 5; round++) {
                  Lease lease = locked && mine ? ours.acquire() : null;
                  if (locked && !mine) {
                    plain.does(lane, "multi", NAMES, "lock");
                  }
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Await.pass(Duration.ofMillis(2));
                  inside.decrementAndGet();
                  if (lease != null) {
                    lease.release();
                  } else if (locked) {
                    plain.does(lane, "multi", NAMES, "unlock");
                  }
                }
                return true;
              }));
    }
    parts.forEach(Await::value);
    return most.get();
  }
}
