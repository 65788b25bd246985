package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("The store's answers to a release, and their effects")
class ReleasesTest {
  private final ManualTime time = new ManualTime();
  private final HeldBackStore store = new HeldBackStore(time);
  private final List<LockEvent> events = new ArrayList<>();
  private final LockManager locks = time.manager(store).listener(events::add).build();

  @AfterEach
  void close() {
    store.releases = CompletableFuture.completedFuture(null);
    locks.close();
  }

  private DistributedLock lock(String owner, HandOver handOver) {
    return locks
        .lock("a", LockOptions.fixed(Duration.ofSeconds(30)).toBuilder().handOver(handOver).build())
        .as(LockOwner.unique(owner));
  }

  private DistributedLock lock(String owner) {
    return lock(owner, HandOver.none());
  }

  @Test
  @DisplayName(
      "a loss that it detects is the hold's: signalled, reported, and the reason from then on")
  void findsALoss() {
    Lease lease = lock("me").tryAcquire().orElseThrow();
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    store.forget();
    LeaseLoss loss = assertThrows(LeaseLostException.class, lease::release).loss();
    assertEquals("the store no longer had it at release", loss.detail());
    assertEquals(loss, lost.join());
    assertEquals(loss, assertThrows(LeaseLostException.class, lease::ensureValid).loss());
    assertEquals(
        List.of(loss),
        events.stream()
            .filter(LockEvent.Lost.class::isInstance)
            .map(event -> ((LockEvent.Lost) event).loss())
            .toList());
  }

  @Test
  @DisplayName("where a waiter of another process was woken, those here stay back for a moment")
  void courtesy() {
    store.releasesSay = result -> ReleaseResult.RELEASED_AND_WOKE;
    Lease first = lock("first").tryAcquire().orElseThrow();
    CompletableFuture<Lease> next = lock("next").acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> last = lock("last").acquireAsync().toCompletableFuture();
    int before = store.asked.size();
    first.release();
    assertEquals(before, store.asked.size());
    time.advance(Duration.ofMillis(2));
    next.join().releaseAsync();
    assertFalse(last.isDone());
    time.advance(Duration.ofMillis(2));
    store.releasesSay = result -> result;
    last.join().release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("one that fails shows the store's health")
  void fails() {
    Lease first = lock("first").tryAcquire().orElseThrow();
    CompletableFuture<Void> unanswered = new CompletableFuture<>();
    store.releases = unanswered;
    CompletableFuture<Void> released = first.releaseAsync().toCompletableFuture();
    store.acquires = new CompletableFuture<>();
    CompletableFuture<?> timed =
        lock("timed").tryAcquireAsync(Duration.ofSeconds(1)).toCompletableFuture();
    unanswered.completeExceptionally(new LockStoreException(Kind.UNAVAILABLE, "of the test's"));
    assertTrue(released.isCompletedExceptionally());
    time.advance(Duration.ofSeconds(1));
    Throwable failure = assertThrows(CompletionException.class, timed::join).getCause();
    assertTrue(failure.getMessage().startsWith("the store has failed for 1s: "), failure::toString);
    store.acquires.complete(null);
  }

  @Test
  @DisplayName("a renewal for a hand-over that is answered after the deadline passes nothing on")
  void renewedTooLate() {
    HandOver often = new HandOver(10, Duration.ofMinutes(1));
    Lease first = lock("first", often).tryAcquire().orElseThrow();
    CompletableFuture<Lease> next = lock("next", often).acquireAsync().toCompletableFuture();
    time.advance(Duration.ofSeconds(29));
    store.renewals = new CompletableFuture<>();
    int before = store.asked.size();
    CompletableFuture<Void> released = first.releaseAsync().toCompletableFuture();
    time.advance(Duration.ofMillis(800)); // 30 s less the drift allowance have passed, but not 30 s
    store.renewals.complete(null);
    released.join();
    assertEquals(before + 1, store.asked.size(), "the waiter asked for a lease of its own");
    next.join().release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("while a lease is renewed for a hand-over, no waiter here asks for it")
  void renewedToBePassedOn() {
    HandOver often = new HandOver(10, Duration.ofMinutes(1));
    Lease first = lock("first", often).tryAcquire().orElseThrow();
    CompletableFuture<Lease> next = lock("next", often).acquireAsync().toCompletableFuture();
    time.advance(Duration.ofSeconds(1));
    store.renewals = new CompletableFuture<>();
    int before = store.asked.size();
    CompletableFuture<Void> released = first.releaseAsync().toCompletableFuture();
    assertEquals(before, store.asked.size());
    assertFalse(next.isDone() || released.isDone());
    store.renewals.complete(null);
    released.join();
    Lease passedOn = next.join();
    assertEquals(before, store.asked.size());
    assertEquals(1, passedOn.holdCount());
    passedOn.release();
    assertTrue(store.isEmpty());
  }
}
