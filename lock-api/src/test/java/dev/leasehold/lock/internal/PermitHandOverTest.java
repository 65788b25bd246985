package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("A permit is handed over in the process, and so is the place of its first waiter")
class PermitHandOverTest {
  private static final Duration LEASE = Duration.ofHours(2);

  private final ManualTime time = new ManualTime();
  private final PermitsStore store = new PermitsStore();
  private final LockManager locks = time.manager(store).build();

  @AfterEach
  void close() {
    locks.close();
  }

  private static LockOptions options(Duration lease) {
    HandOver run = new HandOver(1000, Duration.ofHours(1));
    return LockOptions.builder().automaticLease(lease).handOver(run).build();
  }

  private CompletableFuture<Lease> ask(Duration lease) {
    return locks.semaphore("s", 2, options(lease)).acquireAsync(1).toCompletableFuture();
  }

  private List<Lease> takeAll() {
    return List.of(ask(LEASE).join(), ask(LEASE).join());
  }

  @Test
  @DisplayName("Fifty hand-overs need no call")
  void calls() {
    List<Lease> first = takeAll();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiters.add(ask(LEASE));
    }
    int before = store.asks();
    assertEquals(1, store.waiting());
    Lease turn = first.get(0);
    for (CompletableFuture<Lease> waiter : waiters) {
      assertFalse(waiter.isDone());
      turn.release();
      turn = waiter.join();
    }
    assertEquals(0, store.asks() - before, "questions");
    assertEquals(1, store.leaves(), "the last one leaves the line");
    assertEquals(0, store.waiting());
    turn.release();
    first.get(1).release();
    assertEquals(0, store.held());
    assertEquals(2, store.most());
  }

  @Test
  @DisplayName(
      "The waiter that has the place now continues to ask, and leaves it when its time" + " is up")
  void goesOn() {
    List<Lease> first = takeAll();
    CompletableFuture<Lease> head = ask(LEASE);
    CompletableFuture<Optional<Lease>> timed =
        locks
            .semaphore("s", 2, options(LEASE))
            .tryAcquireAsync(1, Duration.ofSeconds(30))
            .toCompletableFuture();
    CompletableFuture<Lease> last = ask(LEASE);
    first.get(0).release();
    assertTrue(head.isDone());
    assertEquals(1, store.waiting());
    time.advance(Duration.ofSeconds(31));
    assertTrue(timed.join().isEmpty());
    assertEquals(1, store.waiting(), "the last one asked for itself");
    last.cancel(true);
    assertEquals(0, store.waiting());
    head.join().release();
    first.get(1).release();
  }

  @Test
  @DisplayName("A waiter with a different request asks for itself")
  void others() {
    List<Lease> first = takeAll();
    CompletableFuture<Lease> head = ask(LEASE);
    CompletableFuture<Lease> longer = ask(LEASE.multipliedBy(2));
    int before = store.asks();
    first.get(0).release();
    assertTrue(head.isDone());
    assertTrue(store.asks() > before);
    assertEquals(1, store.waiting());
    assertEquals(1, store.leaves());
    longer.cancel(true);
    head.join().release();
    first.get(1).release();
  }

  @Test
  @DisplayName("One permit does not pass to a waiter that wants two")
  void two() {
    List<Lease> first = takeAll();
    CompletableFuture<Lease> two =
        locks.semaphore("s", 2, options(LEASE)).acquireAsync(2).toCompletableFuture();
    first.get(0).release();
    assertFalse(two.isDone());
    assertEquals(1, store.held());
    two.cancel(true);
    first.get(1).release();
  }
}
