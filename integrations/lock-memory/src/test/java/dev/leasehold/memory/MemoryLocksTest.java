package dev.leasehold.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Locks in memory, in time that a test moves")
class MemoryLocksTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final MemoryLocks memory = MemoryLocks.inManualTime();
  private final LockManager mine = memory.manager();
  private final LockManager theirs = memory.manager();

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  @DisplayName("An automatic lease is renewed for as long as time goes by, a fixed one ends")
  void renewal() {
    Lease kept = mine.lock("kept").tryAcquire().orElseThrow();
    LockOptions fixed = LockOptions.builder().fixedLease(LEASE).build();
    Lease ends = mine.lock("ends", fixed).tryAcquire().orElseThrow();
    memory.advance(LEASE.minusSeconds(1));
    assertTrue(ends.isValid());
    memory.advance(Duration.ofSeconds(1));
    assertFalse(ends.isValid());
    assertEquals(LeaseLoss.Reason.EXPIRED, told(ends).orElseThrow().reason());
    memory.advance(Duration.ofDays(1));
    assertTrue(kept.isValid());
    assertTrue(theirs.lock("kept").tryAcquire().isEmpty());
    assertTrue(theirs.lock("ends").tryAcquire().isPresent());
  }

  @Test
  @DisplayName("A third of a lease is a third: one renewal in 30 s has happened at 10 s")
  void exact() {
    Lease lease = mine.lock("a").tryAcquire().orElseThrow();
    memory.advance(Duration.ofMillis(9_999));
    Duration before = lease.remaining();
    memory.advance(Duration.ofMillis(1));
    assertTrue(before.compareTo(Duration.ofMillis(20_001)) <= 0, before::toString);
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(29)) > 0);
  }

  @Test
  @DisplayName("A crashed holder excludes others until its lease ends, and no longer")
  void crash() {
    mine.lock("a").tryAcquire().orElseThrow();
    CompletableFuture<Lease> waits = theirs.lock("a").acquireAsync().toCompletableFuture();
    memory.crash(mine);
    memory.advance(LEASE.minusMillis(1));
    assertFalse(waits.isDone());
    memory.advance(Duration.ofMillis(2));
    assertTrue(waits.isDone());
    assertThrows(LockStoreException.class, () -> mine.lock("b").tryAcquire());
  }

  @Test
  @DisplayName("A process that stood still too long has lost its lease, and learns it at once")
  void pause() {
    Lease late = mine.lock("a").tryAcquire().orElseThrow();
    memory.pause(mine);
    memory.advance(LEASE);
    Lease next = theirs.lock("a").tryAcquire().orElseThrow();
    assertFalse(late.isValid());
    assertEquals(Optional.empty(), told(late));
    memory.resume(mine);
    assertTrue(told(late).isPresent());
    assertTrue(next.fencingToken() > late.fencingToken());
    assertThrows(LeaseLostException.class, late::release);
    assertTrue(next.isValid());
  }

  @Test
  @DisplayName("A lease that was taken away is reported by the next renewal")
  void takenAway() {
    Lease lease = mine.lock("a").tryAcquire().orElseThrow();
    assertTrue(memory.takeAway("a"));
    assertFalse(memory.takeAway("a"));
    memory.advance(Duration.ofSeconds(9));
    assertEquals(Optional.empty(), told(lease));
    memory.advance(Duration.ofSeconds(1));
    assertTrue(told(lease).isPresent());
  }

  @Test
  @DisplayName("An acquisition whose reply was lost is not held, and leaves nothing behind")
  void replyLost() {
    memory.failNext(Call.ACQUIRE, Fault.REPLY_LOST);
    assertThrows(LockStoreException.class, () -> mine.lock("a").tryAcquire());
    memory.advance(Duration.ofSeconds(1)); // given back in the background
    assertTrue(theirs.lock("a").tryAcquire().isPresent());
  }

  @Test
  @DisplayName("An unanswered call ends by the command time-out, in the test's time")
  void noAnswer() {
    memory.failNext(Call.ACQUIRE, Fault.NO_ANSWER);
    CompletableFuture<Optional<Lease>> asked =
        mine.lock("a").tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    memory.advance(Duration.ofSeconds(1));
    assertFalse(asked.isDone());
    memory.advance(Duration.ofSeconds(1));
    assertTrue(asked.isCompletedExceptionally());
  }

  @Test
  @DisplayName(
      "An outage that is over before the lease costs nothing; a longer one costs the lease")
  void outage() {
    Lease lease = mine.lock("a").tryAcquire().orElseThrow();
    memory.fail(Fault.UNREACHABLE);
    memory.advance(Duration.ofSeconds(20));
    memory.heal();
    memory.advance(Duration.ofSeconds(20));
    assertTrue(lease.isValid());
    memory.fail(Fault.NO_ANSWER);
    memory.advance(LEASE);
    assertTrue(told(lease).isPresent());
  }

  @Test
  @DisplayName("A waiter is woken by a release, and its thread continues, without any time passing")
  void wakeUp() throws Exception {
    Lease lease = mine.lock("a").acquire();
    CompletableFuture<Long> token = new CompletableFuture<>();
    Thread waiter = new Thread(() -> take(theirs.lock("a"), token));
    waiter.start();
    memory.awaitWaiting("a", 1);
    lease.release();
    waiter.join();
    assertTrue(token.join() > lease.fencingToken());
  }

  private static void take(DistributedLock lock, CompletableFuture<Long> token) {
    try (Lease lease = lock.acquire()) {
      token.complete(lease.fencingToken());
    } catch (InterruptedException e) {
      token.completeExceptionally(e);
    }
  }

  @Test
  @DisplayName("Read/write locks, semaphores, and a minimum hold by the test's time")
  void kinds() {
    assertTrue(mine.readWriteLock("a").read().tryAcquire().isPresent());
    assertTrue(theirs.readWriteLock("a").read().tryAcquire().isPresent());
    LockManager others = memory.manager();
    assertTrue(others.readWriteLock("a").write().tryAcquire().isEmpty());
    assertTrue(mine.semaphore("a", 2).tryAcquire().isPresent());
    assertTrue(theirs.semaphore("a", 2).tryAcquire().isPresent());
    assertTrue(theirs.semaphore("a", 2).tryAcquire().isEmpty());
    LockOptions once = LockOptions.builder().atLeast(Duration.ofMinutes(1)).build();
    mine.lock("job", once).tryAcquire().orElseThrow().release();
    memory.advance(Duration.ofSeconds(59));
    assertTrue(theirs.lock("job", once).tryAcquire().isEmpty());
    memory.advance(Duration.ofSeconds(2)); // it errs on the long side
    assertTrue(theirs.lock("job", once).tryAcquire().isPresent());
  }

  @Test
  @DisplayName("Several at once are one call, all or none, under a token above all before")
  void severalAtOnce() {
    long before = lastOf("b");
    memory.failNext(Call.ACQUIRE, Fault.UNREACHABLE);
    assertThrows(LockStoreException.class, () -> mine.all("a", "b", "c").tryAcquire());
    Lease all = mine.all("a", "b", "c").tryAcquire().orElseThrow(); // one call had gone wrong
    assertTrue(all.fencingToken() > before);
    assertTrue(theirs.all("c", "d").tryAcquire().isEmpty());
    assertTrue(memory.manager().lock("d").tryAcquire().isPresent(), "nothing was taken");
    memory.advance(Duration.ofHours(1));
    assertTrue(all.isValid());
    memory.takeAway("b");
    memory.advance(Duration.ofSeconds(10));
    assertTrue(told(all).isPresent(), "one loss is the loss of all");
    all.parts().get(0).release();
    assertTrue(lastOf("a") > all.fencingToken());
  }

  /** The token of a hold that is over. */
  private long lastOf(String name) {
    Lease lease = theirs.lock(name).tryAcquire().orElseThrow();
    lease.release();
    return lease.fencingToken();
  }

  @Test
  @DisplayName("Several at once do not overtake a waiter for a name that is free again")
  void severalAndTheLine() {
    Lease held = mine.lock("a").tryAcquire().orElseThrow();
    CompletableFuture<Lease> waits = theirs.lock("a").acquireAsync().toCompletableFuture();
    memory.takeAway("a"); // which wakes no waiter
    assertTrue(held.isValid());
    memory.advance(Duration.ZERO);
    assertFalse(waits.isDone());
    assertTrue(memory.manager().all("a", "b").tryAcquire().isEmpty(), "it is another's turn");
    assertTrue(memory.manager().lock("b").tryAcquire().isPresent(), "none was taken");
    memory.advance(Duration.ZERO);
    assertTrue(waits.isDone(), "the waiter is served, and woken");
  }

  @Test
  @DisplayName("When time has gone by, callbacks have run; one that blocks does not stop it")
  void callbacks() {
    List<String> told = new ArrayList<>();
    CountDownLatch never = new CountDownLatch(1);
    Lease lease = mine.lock("a").tryAcquire().orElseThrow();
    lease.lost().thenAccept(loss -> told.add("lost"));
    Lease other = mine.lock("b").tryAcquire().orElseThrow();
    CompletableFuture<Void> refused =
        other
            .lost()
            .thenAccept(loss -> assertThrows(IllegalStateException.class, this::moves))
            .toCompletableFuture();
    memory.takeAway("a");
    memory.takeAway("b");
    memory.advance(Duration.ofSeconds(10));
    assertEquals(List.of("lost"), told);
    refused.join();
    Lease blocks = mine.lock("c").tryAcquire().orElseThrow();
    blocks.lost().thenAccept(loss -> await(never));
    memory.takeAway("c");
    memory.advance(Duration.ofSeconds(60));
    never.countDown();
  }

  private void moves() {
    memory.advance(Duration.ofSeconds(1));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("Limitations are reported")
  void misuse() {
    assertThrows(IllegalArgumentException.class, () -> memory.advance(Duration.ofMillis(-1)));
    try (MemoryLocks real = MemoryLocks.inRealTime()) {
      assertThrows(IllegalStateException.class, () -> real.advance(LEASE));
      assertThrows(IllegalStateException.class, () -> real.pause(mine));
      assertThrows(IllegalArgumentException.class, () -> real.crash(mine));
    }
  }

  private Optional<LeaseLoss> told(Lease lease) {
    List<LeaseLoss> losses = new ArrayList<>();
    lease.lost().thenAccept(losses::add);
    memory.advance(Duration.ZERO); // callbacks have their threads
    return losses.stream().findFirst();
  }
}
