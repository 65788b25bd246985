package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

@DisplayName("A fair lock that is shared with plain RFairLocks")
class RFairLockTest {
  private static final String NAME = "line";

  private final Apps apps = new Apps();
  private final DistributedLock ours = apps.ours(RedissonMode.FAIR).lock(NAME, PATIENT);
  private final RLock theirs = apps.redisson().getFairLock(NAME);

  @AfterEach
  void close() {
    apps.close();
  }

  @Test
  @DisplayName("Ours excludes theirs, and our release wakes theirs")
  void oursExcludesTheirs() throws Exception {
    Lease lease = ours.acquire();
    assertFalse(theirs.tryLock());
    CompletableFuture<Boolean> waiting = lockedByThem();
    Await.until("it stands in line and listens", () -> apps.inLine(NAME) == 1 && isHeard(0));
    lease.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertTrue(Await.value(waiting));
  }

  @Test
  @DisplayName("Theirs excludes ours, and their unlock wakes ours")
  void theirsExcludesOurs() {
    theirs.lock();
    assertEquals(Optional.empty(), ours.tryAcquire());
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it is in line", () -> apps.inLine(NAME) == 1);
    theirs.unlock();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertFalse(theirs.tryLock());
    Await.value(waiting).release();
    assertTrue(theirs.tryLock());
  }

  @Test
  @DisplayName("A name entirely in braces has two queues, and is still exclusive")
  void bracedName() throws Exception {
    DistributedLock braced = apps.ours(RedissonMode.FAIR).lock("{" + NAME + "}", PATIENT);
    RLock their = apps.redisson().getFairLock("{" + NAME + "}");
    Lease lease = braced.acquire();
    assertFalse(their.tryLock());
    lease.release();
    assertTrue(their.tryLock());
    assertEquals(Optional.empty(), braced.tryAcquire());
    their.unlock();
    braced.tryAcquire().orElseThrow().release();
  }

  private CompletableFuture<Boolean> lockedByThem() {
    return onThread(() -> theirs.tryLock(LONG.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Whether the waiter at this place listens. */
  private boolean isHeard(int place) {
    String queue = "redisson_lock_queue:{" + NAME + "}";
    Object id = apps.server().call("LINDEX", queue, Integer.toString(place)).orElse("");
    return apps.listenersOf("redisson_lock__channel:{" + NAME + "}:" + id) == 1;
  }

  @Test
  @DisplayName("Both kinds share one queue, and each has its turn in order of arrival")
  void oneLine() throws Exception {
    Lease held = ours.acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<CompletableFuture<?>> turns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      turns.add(i % 2 == 0 ? theirTurn(number, order) : ourTurn(ours, number, order));
      Await.until(
          number + " stands in line", () -> apps.inLine(NAME) == number + 1 && isHeard(number));
    }
    held.release();
    turns.forEach(Await::value);
    assertEquals(List.of(0, 1, 2, 3, 4, 5), List.copyOf(order));
    assertEquals(0, apps.inLine(NAME));
    assertEquals(
        0L, apps.server().call("EXISTS", "redisson_lock_timeout:{" + NAME + "}").orElseThrow());
  }

  private CompletableFuture<?> theirTurn(int number, List<Integer> order) {
    return onThread(
        () -> {
          theirs.lock(LONG.toMillis(), TimeUnit.MILLISECONDS);
          order.add(number);
          theirs.unlock();
          return number;
        });
  }

  private static CompletableFuture<?> ourTurn(
      DistributedLock lock, int number, List<Integer> order) {
    return lock.acquireAsync()
        .thenCompose(
            lease -> {
              order.add(number);
              return lease.releaseAsync();
            })
        .toCompletableFuture();
  }

  @Test
  @DisplayName("Ours keeps its place behind a plain waiter that waits for longer than a lease")
  void ourPlaceStays() throws Exception {
    Duration theirTime = Duration.ofSeconds(10);
    RedissonClient theirClient = waitingFor(theirTime);
    DistributedLock own =
        ours(theirTime, Duration.ofMillis(400))
            .lock(NAME, LockOptions.builder().automaticLease(Duration.ofMillis(1800)).build());
    Lease held = own.acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    CompletableFuture<?> before = theirTurn(theirClient, 0, order);
    Await.until("theirs stands in line", () -> apps.inLine(NAME) == 1);
    CompletableFuture<?> ours = ourTurn(own, 1, order);
    Await.until("ours stands behind it", () -> apps.inLine(NAME) == 2);
    Await.pass(Duration.ofSeconds(3)); // more than the lease and our place's time
    CompletableFuture<?> last = theirTurn(theirClient, 2, order);
    Await.until("a third stands behind both", () -> apps.inLine(NAME) == 3);
    held.release();
    Await.value(before);
    Await.value(ours);
    Await.value(last);
    assertEquals(List.of(0, 1, 2), List.copyOf(order));
  }

  /** A client whose plain waiters' places are good for this long. */
  private RedissonClient waitingFor(Duration theirTime) {
    return apps.redisson(
        apps.server().uri(), config -> config.setFairLockWaitTimeout(theirTime.toMillis()));
  }

  private LockManager ours(Duration theirTime, Duration ourTime) {
    return apps.closing(
        LockManager.over(
                RedissonLocks.over(waitingFor(theirTime))
                    .mode(RedissonMode.FAIR)
                    .fairTimeout(ourTime)
                    .open())
            .build());
  }

  /** Holds for a while, so that ours asks meanwhile. */
  private static CompletableFuture<?> theirTurn(
      RedissonClient client, int number, List<Integer> order) {
    return onThread(
        () -> {
          RLock lock = client.getFairLock(NAME);
          lock.lock(LONG.toMillis(), TimeUnit.MILLISECONDS);
          order.add(number);
          Await.pass(Duration.ofMillis(600));
          lock.unlock();
          return number;
        });
  }

  @Test
  @DisplayName(
      "A plain waiter keeps its place while ours before it has its turn, however short its time")
  void theirPlaceStays() throws Exception {
    // A plain waiter's place is good for this long from the end of the place before it.
    Duration theirTime = Duration.ofMillis(300);
    RLock brief = waitingFor(theirTime).getFairLock(NAME);
    DistributedLock own = ours(theirTime, theirTime).lock(NAME, PATIENT);
    Lease first = own.acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    CompletableFuture<Lease> before = own.acquireAsync().toCompletableFuture();
    Await.until("ours stands in line", () -> apps.inLine(NAME) == 1);
    CompletableFuture<?> their =
        onThread(
            () -> {
              brief.lock(LONG.toMillis(), TimeUnit.MILLISECONDS);
              order.add(1);
              brief.unlock();
              return null;
            });
    Await.until("theirs stands in line", () -> apps.inLine(NAME) == 2 && isHeard(1));
    first.release();
    Lease second = Await.value(before);
    Await.pass(theirTime.multipliedBy(4));
    CompletableFuture<?> last = ourTurn(own, 2, order);
    Await.until("ours stands behind theirs", () -> apps.inLine(NAME) == 2);
    second.release();
    Await.value(their);
    Await.value(last);
    assertEquals(List.of(1, 2), List.copyOf(order));
  }
}
