package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Readers of one process join and leave without the cell, and their holds stay correct")
class ReadersTest extends ReadersSetting {
  @Test
  @DisplayName("No call while one of them holds; the last one gives the lease back")
  void calls() {
    Lease first = take(one);
    Lease second = take(other);
    assertEquals(1, store.map.calls());
    second.release();
    second = take(other);
    assertTrue(isJoined(second));
    first.release();
    second.ensureValid();
    assertEquals(1, store.map.calls());
    second.release();
    assertEquals(2, store.map.calls());
    assertTrue(store.map.isEmpty());
    second.release(); // again does nothing
    assertFalse(second.isValid());
    assertEquals(2, store.map.calls());
  }

  @Test
  @DisplayName("Each owner's count is its own, also of one that joined past the cell")
  void ownersCounts() {
    Lease first = take(one);
    take(other).release();
    Lease second = take(other);
    assertTrue(isJoined(second));
    assertEquals(1, other.holdCount());
    Lease again = take(other);
    assertEquals(2, other.holdCount());
    assertEquals(1, one.holdCount());
    again.release();
    second.release();
    assertFalse(other.isHeldByCurrentOwner());
    first.release();
    assertFalse(one.isHeldByCurrentOwner());
  }

  @Test
  @DisplayName("No election by them, since each would lead; by the write side there may be one")
  void election() {
    String words =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> LeaderElection.on(one))
                .getMessage());
    assertTrue(words.contains("'r'") && words.contains("write side"), words);
    LeaderElection.on(locks.readWriteLock("r").write());
  }

  @Test
  @DisplayName("Each owner rejoins at most so often, and only until the end of the run")
  void bounds() {
    Lease first = take(one);
    for (int i = 0; i < 2; i++) {
      time.advance(Duration.ofSeconds(1));
      for (int again = 0; again <= 3; again++) {
        Lease next = take(other);
        assertTrue(isJoined(next));
        next.release();
      }
    }
    assertEquals(1, store.map.calls());
    time.advance(RUN);
    Lease late = take(other);
    assertEquals(4, store.map.calls(), "the first one, two renewals and the late one");
    assertTrue(late.fencingToken() > first.fencingToken());
    late.release();
    first.ensureValid();
    first.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("A run bears so many joins, each with its returns, without a call; then it is over")
  void wholeRun() {
    Lease stays = take(one);
    for (int holds = 0; holds < 3 * (1 + 3); holds++) {
      Lease next = take(other);
      assertEquals(stays.fencingToken(), next.fencingToken());
      next.release();
    }
    assertEquals(1, store.map.calls());
    Lease later = take(other);
    assertTrue(later.fencingToken() > stays.fencingToken());
    later.release();
    assertEquals(3, store.map.calls(), "the first lease, and one that came and went");
  }

  @Test
  @DisplayName("So many owners join a lease, and no more")
  void count() {
    List<Lease> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(take(readers("owner " + i)));
    }
    assertEquals(2, store.map.calls());
    assertEquals(all.get(0).fencingToken(), all.get(3).fencingToken());
    assertTrue(all.get(4).fencingToken() > all.get(3).fencingToken());
    all.forEach(Lease::release);
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("A re-entry has two handles over one hold, released in any order")
  void reentry() {
    Lease first = take(one);
    take(other).release();
    Lease outer = take(other);
    Lease inner = take(other);
    assertEquals(2, outer.holdCount());
    outer.release();
    assertEquals(1, inner.holdCount());
    first.release();
    inner.ensureValid();
    assertFalse(store.map.isEmpty());
    inner.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName(
      "A renewal continues for joined holds; if the store lost the lease, all are notified")
  void renewals() {
    Lease first = take(one);
    take(other).release();
    Lease second = take(other);
    List<LeaseLoss> told = new ArrayList<>();
    first.lost().thenAccept(told::add);
    second.lost().thenAccept(told::add);
    time.advance(LEASE.multipliedBy(3));
    first.ensureValid();
    second.ensureValid();
    store.map.forget();
    time.advance(LEASE);
    assertEquals(2, told.size());
    assertThrows(LeaseLostException.class, second::release);
    assertThrows(LeaseLostException.class, () -> take(one));
    Lease anew = take(other);
    anew.ensureValid();
    anew.release();
    assertThrows(LeaseLostException.class, first::release);
  }

  @Test
  @DisplayName("Past its deadline a lease can't be joined, and its holds are lost at that moment")
  void deadline() {
    Lease first = take(one);
    take(other).release();
    Lease second = take(other);
    take(readers("third")).release();
    List<LeaseLoss> told = new ArrayList<>();
    second.lost().thenAccept(told::add);
    store.map.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
    time.advance(LEASE);
    assertEquals(1, told.size());
    assertEquals(LeaseLoss.Reason.EXPIRED, told.get(0).reason());
    store.map.goWrong(null);
    Lease third = take(readers("third"));
    assertTrue(third.fencingToken() > first.fencingToken());
    assertThrows(LeaseLostException.class, second::release);
    assertThrows(LeaseLostException.class, first::release);
    third.ensureValid();
    third.release();
  }

  @Test
  @DisplayName("A request for a longer lease, and a fixed reader, do not affect the other readers")
  void others() {
    Lease first = take(one);
    take(other).release();
    Lease second = take(other);
    assertTrue(second.extend(Duration.ofMinutes(10)));
    first.ensureValid();
    Lease fixed =
        locks
            .readWriteLock("r", LockOptions.fixed(Duration.ofSeconds(5)))
            .read()
            .as(LockOwner.unique("fixed"))
            .tryAcquire()
            .orElseThrow();
    second.release();
    first.release();
    assertFalse(store.isLive(first.fencingToken()));
    fixed.ensureValid();
    time.advance(Duration.ofSeconds(6));
    assertFalse(fixed.isValid());
    assertThrows(LeaseLostException.class, fixed::release);
  }

  @Test
  @DisplayName("A close notifies joined holds, waits for them, and leaves nothing behind")
  void closing() {
    Lease first = take(one);
    take(other).release();
    Lease second = take(other);
    first.release();
    assertTrue(isJoined(second));
    List<LeaseLoss> told = new ArrayList<>();
    second.lost().thenAccept(told::add);
    locks.close();
    assertEquals(LeaseLoss.Reason.CLOSED, told.get(0).reason());
    assertFalse(second.isValid());
    assertThrows(LeaseLostException.class, second::release);
    assertThrows(LockManagerClosedException.class, () -> take(other));
  }

  @Test
  @DisplayName("Listeners hear of each hold: where there are any, all goes through the cell")
  void listeners() {
    List<String> events = new CopyOnWriteArrayList<>();
    try (LockManager heard =
        manager().listener(event -> events.add(event.getClass().getSimpleName())).build()) {
      Lease first = take(readers(heard, "one"));
      take(readers(heard, "other")).release();
      Lease again = take(readers(heard, "other"));
      assertFalse(isJoined(again));
      again.release();
      first.release();
    }
    assertEquals(
        List.of("Acquired", "HandedOver", "Released", "HandedOver", "Released", "Released"),
        events);
  }

  @Test
  @DisplayName("A joined hold that can no longer be released is reported as abandoned")
  void abandoned() throws Exception {
    Lease first = take(one);
    Thread brief =
        new Thread(
            () -> {
              DistributedLock mine = locks.readWriteLock("r", options).read();
              take(mine).release();
              assertTrue(isJoined(take(mine)));
            });
    brief.start();
    brief.join();
    long begun = System.nanoTime();
    while (log.lines().stream()
        .noneMatch(line -> line.contains("its handle was garbage-collected"))) {
      assertTrue(System.nanoTime() - begun < Duration.ofSeconds(15).toNanos(), "never notified");
      System.gc();
      time.advance(Duration.ofSeconds(5));
    }
    first.ensureValid();
    first.release();
    assertFalse(store.map.isEmpty(), "the other hold goes on");
  }

  @Test
  @DisplayName("Through the view the same, and only the holder unlocks")
  void view() throws Exception {
    Lease first = take(one);
    Lock read = locks.readWriteLock("r", options).asReadWriteLock().readLock();
    for (int i = 0; i < 3; i++) {
      read.lock();
      read.unlock();
    }
    read.lock();
    read.lock();
    read.unlock();
    first.release();
    assertEquals(1, store.map.calls());
    read.unlock();
    assertTrue(store.map.isEmpty());
    assertThrows(IllegalMonitorStateException.class, read::unlock);
  }

  @Test
  @DisplayName("An interrupted thread does not join")
  void interrupted() throws Exception {
    DistributedLock mine = locks.readWriteLock("r", options).read();
    Lease first = take(one);
    take(mine).release();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, mine::acquire);
    mine.acquire().release();
    first.release();
    assertTrue(store.map.isEmpty());
  }

  @Test
  @DisplayName("A reader that would write is refused while it is joined, and not after")
  void upgrade() {
    Lease first = take(one);
    LockOwner owner = LockOwner.unique("reader");
    DistributedLock write = locks.readWriteLock("r", options).write().as(owner);
    DistributedLock read = locks.readWriteLock("r", options).read().as(owner);
    take(read).release();
    Lease again = take(read);
    assertTrue(isJoined(again));
    assertThrows(IllegalMonitorStateException.class, write::tryAcquire);
    again.release();
    write.tryAcquire().orElseThrow().release();
    first.release();
  }

  /** An application's threads may compare as they like. */
  private static final class Alike extends Thread {
    Alike(Runnable task) {
      super(task);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Alike;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  @DisplayName("Threads are owners of their own, even if they are equal")
  void equalThreads() throws Exception {
    DistributedLock lock = locks.readWriteLock("r", options).read();
    Lease first = take(one);
    ExecutorService x = Executors.newSingleThreadExecutor(Alike::new);
    ExecutorService y = Executors.newSingleThreadExecutor(Alike::new);
    try {
      x.submit(() -> take(lock).release()).get();
      Lease ofY = y.submit(() -> take(lock)).get();
      assertEquals(0, x.submit(lock::holdCount).get());
      Lease ofX = x.submit(() -> take(lock)).get();
      assertTrue(isJoined(ofX), "the seat is still the first thread's");
      assertEquals(1, x.submit(lock::holdCount).get());
      assertEquals(1, y.submit(lock::holdCount).get());
      ofX.release();
      assertEquals(0, x.submit(lock::holdCount).get());
      first.release();
      ofY.ensureValid();
      ofY.release();
      assertTrue(store.map.isEmpty());
    } finally {
      x.shutdown();
      y.shutdown();
    }
  }
}
