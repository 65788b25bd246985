package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** What the kit's rules of several locks don't ask: views, owners, errors, managers apart. */
@Timeout(60)
class AllLocksTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final MapStore store = store();
  private final LockManager manager =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final MapStore otherStore = store();
  private final LockManager other =
      LockManager.over(otherStore).closeGrace(Duration.ofMillis(50)).build();
  private final DistributedLock both = manager.all("a", "b");

  MapStore store() {
    return new MapStore(Ticker.system());
  }

  void checkToken(Lease lease) {
    assertThrows(UnsupportedOperationException.class, lease::fencingToken);
  }

  @AfterEach
  void close() {
    manager.close();
    other.close();
  }

  private boolean isFree(String name) {
    Optional<Lease> lease = manager.lock(name).as(LockOwner.unique("probe")).tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }

  @Test
  void isOneLeaseOverAll() throws Exception {
    Lease lease = both.acquire();
    assertEquals("a & b", both.name());
    assertEquals("a & b", lease.lockName());
    assertTrue(lease.isValid());
    assertEquals(1, lease.holdCount());
    assertFalse(isFree("a"));
    assertFalse(isFree("b"));
    assertEquals(List.of("a", "b"), lease.parts().stream().map(Lease::lockName).toList());
    checkToken(lease);
    assertTrue(lease.parts().stream().allMatch(part -> part.fencingToken() > 0));
    assertEquals("a", both.inspect().orElseThrow().lockName());
    assertTrue(lease.extend(Duration.ofMinutes(2)));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(100)) > 0);
    lease.release();
    lease.release();
    assertFalse(lease.isValid());
    assertEquals(Duration.ZERO, lease.remaining());
    assertThrows(LeaseLostException.class, lease::ensureValid);
    assertTrue(isFree("a") && isFree("b"));
    assertFalse(lease.extend(Duration.ofMinutes(2)));
    assertFalse(lease.lost().toCompletableFuture().isDone());
  }

  @Test
  void ofOneLockHasItsToken() throws Exception {
    DistributedLock twice = manager.all("c", "c");
    for (DistributedLock one : List.of(twice, DistributedLock.all(manager.lock("c")))) {
      Lease lease = one.acquire();
      assertEquals(lease.parts().get(0).fencingToken(), lease.fencingToken());
      lease.release();
    }
  }

  @Test
  void tellsWhatIsNull() {
    DistributedLock none = null;
    for (Executable call :
        List.<Executable>of(
            () -> manager.all("a", null),
            () -> DistributedLock.all(none),
            () -> manager.lock("a").tryAcquire().orElseThrow().extend(null))) {
      String words = String.valueOf(assertThrows(NullPointerException.class, call).getMessage());
      assertTrue(words.startsWith("l"), words); // lock, lock name, lease
    }
  }

  @Test
  void reentersAsItsOwner() throws Exception {
    try (Lease outer = both.acquire();
        Lease inner = both.acquire();
        Lease one = manager.lock("b").acquire()) {
      assertEquals(2, inner.holdCount(), "of a, the least");
      assertTrue(outer.isValid() && one.isValid());
    }
    LockOwner owner = LockOwner.unique("job");
    Lease first = both.as(owner).tryAcquireAsync(SOON).toCompletableFuture().join().orElseThrow();
    both.as(owner).tryAcquire().orElseThrow().release();
    assertTrue(both.tryAcquire().isEmpty());
    first.release();
  }

  @Test
  void worksAcrossManagers() throws Exception {
    DistributedLock across = DistributedLock.all(manager.lock("x"), other.lock("x"));
    Lease here = other.lock("x").as(LockOwner.unique("rival")).acquire();
    assertTrue(across.tryAcquire().isEmpty());
    assertTrue(isFree("x"));
    CompletableFuture<Lease> asked = across.acquireAsync().toCompletableFuture();
    here.release();
    asked.get(20, TimeUnit.SECONDS).releaseAsync().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertTrue(isFree("x"));
    assertTrue(other.lock("x").tryAcquire().isPresent());
  }

  @Test
  void oneThatFailsLeavesNone() {
    otherStore.refuse();
    DistributedLock across = DistributedLock.all(manager.lock("x"), other.lock("x"));
    assertThrows(LockStoreException.class, across::tryAcquire);
    assertThrows(LockStoreException.class, across::acquire);
    CompletionException failure =
        assertThrows(
            CompletionException.class, () -> across.acquireAsync().toCompletableFuture().join());
    assertInstanceOf(LockStoreException.class, failure.getCause());
    assertTrue(store.isEmpty());
  }

  @Test
  void theFirstLossIsThatOfAll() throws Exception {
    LockOptions brief = LockOptions.fixed(Duration.ofMillis(100));
    DistributedLock mixed = DistributedLock.all(manager.lock("long"), manager.lock("brief", brief));
    Lease lease = mixed.acquire();
    assertTrue(lease.remaining().compareTo(Duration.ofMillis(100)) <= 0, "the earliest deadline");
    LeaseLoss loss = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertEquals("brief", loss.lockName());
    assertFalse(lease.isValid());
    assertFalse(isFree("long"), "freed at the release");
    assertEquals(loss, assertThrows(LeaseLostException.class, lease::ensureValid).loss());
    assertThrows(LeaseLostException.class, lease::release);
    assertTrue(isFree("long"));
  }

  @Test
  void aCancelledOneLeavesNone() throws Exception {
    Lease held = manager.lock("b").as(LockOwner.unique("rival")).acquire();
    CompletableFuture<Lease> asked = both.acquireAsync().toCompletableFuture();
    asked.cancel(false);
    held.release();
    Spin.until(() -> isFree("a") && isFree("b"));
    assertEquals(
        Optional.empty(),
        both.tryAcquireAsync(Duration.ZERO)
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS)
            .flatMap(
                lease -> {
                  lease.release();
                  return Optional.empty();
                }));
  }

  @Test
  void anInterruptedOneLeavesNone() throws Exception {
    Lease held = manager.lock("b").as(LockOwner.unique("rival")).acquire();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, both::acquire);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> both.tryAcquire(SOON));
    assertTrue(isFree("a"));
    held.release();
    assertTrue(isFree("b"));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, both::acquire, "though they are free");
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> both.tryAcquire(Duration.ZERO));
    assertTrue(isFree("a") && isFree("b"));
  }

  @Test
  void isTriedWithATimeAndWithout() throws Exception {
    for (Duration wait : List.of(Duration.ZERO, SOON)) {
      try (Lease lease = both.tryAcquire(wait).orElseThrow()) {
        assertEquals(1, both.holdCount());
        assertTrue(lease.isValid());
      }
      assertEquals(0, both.holdCount());
    }
    assertTrue(isFree("a") && isFree("b"));
  }

  @Test
  void saysWhatItIs() {
    DistributedLock nested = DistributedLock.all(both, manager.lock("c"));
    assertEquals("DistributedLock[all of all of lock 'a', lock 'b', lock 'c']", nested.toString());
    assertEquals("all of lock 'a', lock 'b'", AllLocks.words(both));
  }

  @Test
  void itsViewIsUnlockedByWhoHoldsAllOnly() {
    Lock nested = DistributedLock.all(both, manager.lock("c")).asLock();
    for (String name : List.of("a", "c")) {
      Lock one = manager.lock(name).asLock();
      one.lock();
      assertThrows(IllegalMonitorStateException.class, both.asLock()::unlock);
      assertThrows(IllegalMonitorStateException.class, nested::unlock);
      assertFalse(isFree(name));
      one.unlock();
    }
  }

  @Test
  void itsViewIsALock() throws Exception {
    Lock view = both.asLock();
    view.lock();
    assertFalse(isFree("a"));
    assertTrue(view.tryLock());
    view.unlock();
    assertFalse(isFree("b"));
    assertTrue(manager.lock("b").asLock().tryLock(), "the same thread's");
    manager.lock("b").asLock().unlock();
    view.unlock();
    assertTrue(isFree("a") && isFree("b"));
    assertThrows(IllegalMonitorStateException.class, view::unlock);
    assertThrows(UnsupportedOperationException.class, view::newCondition);
    Lease held = manager.lock("b").as(LockOwner.unique("rival")).acquire();
    assertFalse(view.tryLock(1, TimeUnit.MILLISECONDS));
    assertTrue(isFree("a"));
    held.release();
  }

  /** With the locks taken one after the other and kept, this stands still at once. */
  @Test
  void nobodyBlocksAnybody() throws Exception {
    List<String> names = List.of("a", "b", "c", "d");
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int t = 0; t < 6; t++) {
        boolean async = t % 2 == 0;
        ends.add(
            threads.submit(
                () -> {
                  List<String> mine = new ArrayList<>(names);
                  for (int i = 0; i < 20; i++) {
                    Collections.shuffle(mine);
                    DistributedLock lock = manager.all(mine, LockOptions.defaults());
                    Lease lease =
                        async ? lock.acquireAsync().toCompletableFuture().get() : lock.acquire();
                    overlaps.addAndGet(inside.incrementAndGet() == 1 ? 0 : 1);
                    inside.decrementAndGet();
                    lease.release();
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get(40, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(0, overlaps.get());
  }

  @Test
  void badInputIsToldWithItsLimit() {
    assertMessage("0 locks at once: from 1 to 100", () -> manager.all());
    assertMessage(
        "101 locks at once",
        () ->
            manager.all(
                java.util.stream.IntStream.range(0, 101).mapToObj(i -> "n" + i).toList(),
                LockOptions.defaults()));
    manager.all(
        java.util.stream.IntStream.range(0, 100).mapToObj(i -> "n" + i).toList(),
        LockOptions.defaults());
    assertMessage("lock name '' is empty", () -> manager.all("a", ""));
    assertMessage("wait -1ms", () -> both.tryAcquire(Duration.ofMillis(-1)));
    assertEquals("a", manager.all("a", "a").name());
    assertThrows(NullPointerException.class, () -> manager.all("a", null));
  }

  private static void assertMessage(String part, org.junit.jupiter.api.function.Executable action) {
    String message = assertThrows(IllegalArgumentException.class, action).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void aRoundThatFailsKeepsNoMinimumHold() throws Exception {
    LockOptions minute = LockOptions.builder().atLeast(Duration.ofMinutes(1)).build();
    DistributedLock kept = manager.all(List.of("a", "b"), minute);
    Lease others = manager.lock("b").as(LockOwner.unique("other")).acquire();
    assertTrue(kept.tryAcquire().isEmpty());
    assertTrue(isFree("a"), "it was not used");
    assertTrue(kept.tryAcquireAsync(Duration.ZERO).toCompletableFuture().get().isEmpty());
    assertTrue(isFree("a"), "it was not used");
    assertFalse(kept.asLock().tryLock());
    assertTrue(isFree("a"), "it was not used");
    others.release();
    kept.acquire().release();
    assertFalse(isFree("a"), "now it was");
  }
}
