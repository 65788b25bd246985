package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.handle.LeaseHandle;
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
@DisplayName("Some permits of a lease are released: the effect of the store's answers")
class PartialReleaseTest {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final PermitsStore store = new PermitsStore();
  private final List<LockEvent> events = new ArrayList<>();
  private final LockManager locks = time.manager(store).listener(events::add).build();
  private final DistributedSemaphore semaphore = locks.semaphore("s", 3);

  @AfterEach
  void close() {
    locks.close();
  }

  private Lease take(int permits) {
    return semaphore.tryAcquire(permits).orElseThrow();
  }

  /** As the lease does it when it has looked at the number, and without a wait. */
  private static CompletableFuture<Void> giveBack(Lease lease, int permits) {
    LeaseHandle handle = (LeaseHandle) lease;
    return handle.calls().shrink(handle.entry(), permits);
  }

  private static Throwable failureOf(CompletableFuture<?> result) {
    assertTrue(result.isDone(), "it has not ended");
    Throwable failure = assertThrows(CompletionException.class, result::join).getCause();
    assertTrue(failure != null, "it has no cause");
    return failure;
  }

  private List<LeaseLoss> losses() {
    return events.stream()
        .filter(LockEvent.Lost.class::isInstance)
        .map(event -> ((LockEvent.Lost) event).loss())
        .toList();
  }

  @Test
  @DisplayName("each release sends the permits that are left, until none are")
  void keepsTheRest() {
    Lease lease = take(3);
    lease.release(1);
    assertEquals(2, lease.permits());
    lease.release(1);
    assertEquals(1, lease.permits());
    assertEquals(List.of(2, 1), store.kept);
    lease.ensureValid();
    assertFalse(lease.lost().toCompletableFuture().isDone());
    lease.release(1);
    assertFalse(lease.isValid());
    assertEquals(List.of(2, 1), store.kept, "the last one is a release");
    assertEquals(0, store.held());
    assertEquals(List.of(), losses());
  }

  @Test
  @DisplayName("each counts at once, so that the next one begins with the remaining ones")
  void oneAfterAnother() {
    Lease lease = take(3);
    CompletableFuture<ReleaseResult> end = new CompletableFuture<>();
    store.shrinksEnd = end;
    CompletableFuture<Void> first = giveBack(lease, 1);
    CompletableFuture<Void> second = giveBack(lease, 1);
    assertEquals(1, lease.permits());
    assertEquals(List.of(2), store.kept, "one at a time");
    assertFalse(first.isDone() || second.isDone());
    end.complete(ReleaseResult.RELEASED);
    assertTrue(first.isDone() && second.isDone());
    assertEquals(List.of(2, 1), store.kept);
    lease.ensureValid();
  }

  @Test
  @DisplayName("if others released some in between, it counts again")
  void meanwhile() {
    Lease lease = take(2);
    Throwable refusal = failureOf(giveBack(lease, 3));
    assertInstanceOf(IllegalArgumentException.class, refusal);
    assertEquals(
        "3 permits to release of a lease of semaphore 's', which holds 2: allowed are 1 to 2",
        refusal.getMessage());
    assertEquals(2, lease.permits());
    lease.ensureValid();
    assertTrue(giveBack(lease, 2).isDone());
    assertEquals(0, store.held(), "it was all of them");
    assertFalse(lease.isValid());
    assertEquals(List.of(), store.kept);
  }

  @Test
  @DisplayName("an expired lease has none to return")
  void isOver() {
    Lease lease = take(2);
    lease.release();
    LeaseLostException over =
        assertInstanceOf(LeaseLostException.class, failureOf(giveBack(lease, 1)));
    assertEquals("this handle was used after its release", over.loss().detail());
    assertThrows(LeaseLostException.class, () -> lease.release(1));
    assertEquals(List.of(), store.kept);
  }

  @Test
  @DisplayName("a loss that it finds is the loss of the lease: signalled, reported and thrown")
  void findsALoss() {
    Lease lease = take(3);
    CompletableFuture<LeaseLoss> lost = lease.lost().toCompletableFuture();
    store.shrinksEnd = CompletableFuture.completedFuture(ReleaseResult.NOT_OWNER);
    LeaseLoss loss =
        assertInstanceOf(LeaseLostException.class, failureOf(giveBack(lease, 1))).loss();
    assertEquals("the store no longer had it when permits were released", loss.detail());
    assertFalse(lease.isValid());
    assertEquals(loss, lost.join());
    assertEquals(List.of(loss), losses());
  }

  @Test
  @DisplayName("a lease that was released meanwhile is not lost")
  void releasedMeanwhile() {
    Lease lease = take(3);
    CompletableFuture<ReleaseResult> end = new CompletableFuture<>();
    store.shrinksEnd = end;
    CompletableFuture<Void> some = giveBack(lease, 1);
    CompletableFuture<Void> all = lease.releaseAsync().toCompletableFuture();
    end.complete(ReleaseResult.NOT_OWNER);
    assertInstanceOf(LeaseLostException.class, failureOf(some));
    all.join();
    assertEquals(List.of(), losses());
  }

  @Test
  @DisplayName("a store that can't release some leaves the lease whole, and is healthy")
  void canNot() {
    Lease lease = take(3);
    LockConfigurationException whole = new LockConfigurationException("of the test's");
    store.shrinksEnd = CompletableFuture.failedFuture(whole);
    assertSame(whole, failureOf(giveBack(lease, 2)));
    assertEquals(3, lease.permits());
    lease.ensureValid();
    assertEquals("no answer yet within 1s, the time to wait", inVain());
  }

  @Test
  @DisplayName("with an unknown outcome it is not counted any more, and the store is unhealthy")
  void unknown() {
    Lease lease = take(3);
    LockStoreException failure = new LockStoreException(Kind.UNAVAILABLE, "of the test's");
    store.shrinksEnd = CompletableFuture.failedFuture(failure);
    assertSame(failure, failureOf(giveBack(lease, 1)));
    assertEquals(2, lease.permits());
    lease.ensureValid();
    assertEquals("the store has failed for 1s: of the test's", inVain());
  }

  @Test
  @DisplayName("a store that answers one is well again")
  void wellAgain() {
    Lease lease = take(3);
    store.shrinksEnd =
        CompletableFuture.failedFuture(new LockStoreException(Kind.UNAVAILABLE, "of the test's"));
    failureOf(giveBack(lease, 1));
    store.shrinksEnd = null;
    giveBack(lease, 1).join();
    assertEquals("no answer yet within 1s, the time to wait", inVain());
  }

  /** The failure of a waiter while the store does not answer. */
  private String inVain() {
    store.questions = new CompletableFuture<>();
    CompletableFuture<?> timed = semaphore.tryAcquireAsync(1, WAIT).toCompletableFuture();
    time.advance(WAIT);
    Throwable failure = failureOf(timed);
    store.questions.complete(null);
    return String.valueOf(failure.getMessage());
  }
}
