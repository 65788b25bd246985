package dev.leasehold.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockManager;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Latches in memory, in time that a test moves")
class MemoryLatchTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final MemoryLocks memory = MemoryLocks.inManualTime();
  private final LockManager mine = memory.manager();
  private final LockManager theirs = memory.manager();

  @AfterEach
  void close() {
    memory.close();
  }

  private CompletableFuture<Void> waits() {
    return theirs.latch("loaded").awaitAsync().toCompletableFuture();
  }

  private CompletableFuture<Boolean> countsDown() {
    return mine.latch("loaded").countDownAsync().toCompletableFuture();
  }

  @Test
  @DisplayName("Waiters pass at zero, without any time passing; the opener may crash")
  void zero() {
    CompletableFuture<Void> early = waits();
    memory.advance(AN_HOUR);
    assertFalse(early.isDone(), "it was not open");
    assertTrue(mine.latch("loaded").open(2, AN_HOUR));
    CompletableFuture<Void> late = waits();
    assertEquals(1, memory.waiting("loaded"), "one process");
    assertTrue(mine.latch("loaded").countDown());
    memory.advance(Duration.ofMinutes(1));
    assertFalse(early.isDone() || late.isDone());
    memory.crash(mine);
    assertTrue(theirs.latch("loaded").countDown());
    memory.advance(Duration.ZERO);
    assertTrue(early.isDone() && late.isDone());
    assertEquals(0, memory.waiting("loaded"));
    assertFalse(theirs.latch("loaded").countDown(), "it is at zero");
  }

  @Test
  @DisplayName("It ends at its time, not a moment before; then the name is as if never used")
  void ends() {
    assertTrue(mine.latch("loaded").open(1, AN_HOUR));
    CompletableFuture<Void> waits = waits();
    CompletableFuture<Boolean> patient =
        theirs.latch("loaded").awaitAsync(Duration.ofMinutes(5)).toCompletableFuture();
    memory.advance(Duration.ofMinutes(5).minusMillis(1));
    assertFalse(patient.isDone());
    memory.advance(Duration.ofMillis(1));
    assertFalse(patient.join());
    memory.advance(Duration.ofMinutes(55).minusMillis(1));
    assertFalse(waits.isDone());
    memory.advance(Duration.ofSeconds(2)); // a waiter looks each second
    CompletionException failed = assertThrows(CompletionException.class, waits::join);
    assertTrue(failed.getCause() instanceof LatchExpiredException, failed::toString);
    assertEquals(OptionalInt.empty(), mine.latch("loaded").count());
    assertFalse(mine.latch("loaded").countDown());
    assertTrue(mine.latch("loaded").open(3, AN_HOUR), "another round");
    assertEquals(OptionalInt.of(3), theirs.latch("loaded").count());
  }

  @Test
  @DisplayName("A count-down whose answer is lost is sent again, and counts once")
  void once() {
    assertTrue(mine.latch("loaded").open(2, AN_HOUR));
    memory.failNext(Call.OTHER, Fault.REPLY_LOST);
    CompletableFuture<Boolean> counts = countsDown();
    assertEquals(OptionalInt.of(1), theirs.latch("loaded").count(), "it was done");
    memory.advance(Duration.ofSeconds(1));
    assertTrue(counts.join());
    assertEquals(OptionalInt.of(1), theirs.latch("loaded").count(), "it counts once");
  }

  @Test
  @DisplayName("A latch and the other kinds of its name are strangers")
  void strangers() {
    assertTrue(mine.latch("loaded").open(1, AN_HOUR));
    assertTrue(theirs.lock("loaded").tryAcquire().isPresent());
    assertTrue(theirs.readWriteLock("loaded").write().tryAcquire().isPresent());
    memory.takeAway("loaded");
    assertEquals(OptionalInt.of(1), mine.latch("loaded").count(), "takeAway is for what is held");
  }
}
