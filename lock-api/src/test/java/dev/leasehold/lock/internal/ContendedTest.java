package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@DisplayName("Empty means contended: the evidence of each waiter since it came")
class ContendedTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final Duration WHILE = Duration.ofMillis(30);

  private final ManualTime time = new ManualTime();
  private final SlowStore store = new SlowStore(time);
  private final LockManager manager =
      LockManager.over(store)
          .ticker(time)
          .scheduler(time)
          .executor(Runnable::run)
          .commandTimeout(TIMEOUT)
          .closeGrace(Duration.ZERO)
          .build();
  private final DistributedLock lock = manager.lock("a");

  /** It answers when the test lets it. */
  private static final class SlowStore extends MapStore {
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private boolean slow;
    private int asked;

    SlowStore(ManualTime time) {
      super(time);
    }

    private synchronized <T> CompletionStage<T> later(CompletionStage<T> answer) {
      if (!slow) {
        return answer;
      }
      CompletableFuture<T> late = new CompletableFuture<>();
      answers.add(() -> answer.thenAccept(late::complete));
      return late;
    }

    @Override
    public synchronized CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      asked++;
      return later(super.acquire(request));
    }

    @Override
    public synchronized CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return later(super.release(lease));
    }

    synchronized void slow(boolean from) {
      slow = from;
    }

    synchronized int asked() {
      return asked;
    }

    void answer() {
      Spin.until(
          () -> {
            synchronized (this) {
              return !answers.isEmpty();
            }
          });
      Runnable next;
      synchronized (this) {
        next = answers.remove();
      }
      next.run();
    }
  }

  @AfterEach
  void close() {
    store.slow(false);
    manager.close();
  }

  private CompletableFuture<Optional<Lease>> asks() {
    return lock.tryAcquireAsync(WAIT).toCompletableFuture();
  }

  private void awaitAsked(int times) {
    Spin.until(() -> store.asked() >= times);
  }

  /** By a time that passes in steps: what comes due runs on the manager's threads. */
  private void pass(Duration span, CompletableFuture<?> until) {
    time.advance(span);
    Spin.until(until::isDone);
  }

  private static LockStoreException failure(CompletableFuture<?> asked) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> asked.get(5, SECONDS));
    return assertInstanceOf(LockStoreException.class, failed.getCause());
  }

  private void takenByAnother() {
    LeaseKey another = new LeaseKey("a", "another");
    store.acquire(new AcquireRequest(another, Duration.ofMinutes(1), IfHeld.REFUSE));
  }

  @Test
  @DisplayName("one that waits behind a question without an answer fails, in words for people")
  void behindAQuestion() {
    store.slow(true);
    CompletableFuture<Optional<Lease>> first = asks();
    time.advance(WHILE);
    CompletableFuture<Optional<Lease>> second = asks();
    time.advance(WAIT.minus(WHILE));
    Spin.until(first::isDone);
    pass(WHILE, second);
    assertEquals("no answer yet within 100ms, the time to wait", failure(first).getMessage());
    assertEquals("no answer yet within 100ms, the time to wait", failure(second).getMessage());
    assertEquals(1, store.asked(), "the second has the question that the first left");
  }

  @Test
  @DisplayName("the answer to an earlier request does not count for a later one")
  void askedBefore() {
    takenByAnother();
    store.slow(true);
    CompletableFuture<Optional<Lease>> first = asks();
    awaitAsked(2);
    time.advance(WHILE);
    CompletableFuture<Optional<Lease>> second = asks();
    store.answer(); // the first is refused, and asks once more for the second
    awaitAsked(3);
    time.advance(WAIT.minus(WHILE));
    assertTrue(first.join().isEmpty());
    pass(WHILE, second);
    failure(second);
  }

  @Test
  @DisplayName("an answer for all waiters counts for each of them")
  void standsForAll() {
    takenByAnother();
    CompletableFuture<Optional<Lease>> first = asks();
    Spin.until(() -> store.asked() >= 2);
    CompletableFuture<Optional<Lease>> second = asks();
    awaitAsked(3); // a newcomer has the first ask again
    pass(WAIT, second);
    assertTrue(first.join().isEmpty());
    assertTrue(second.join().isEmpty());
  }

  @Test
  @DisplayName("one behind another owner of its process is refused, whatever the store does")
  void behindAnOwner() throws Exception {
    Lease held = lock.as(LockOwner.unique("holder")).acquire();
    store.slow(true);
    CompletableFuture<Optional<Lease>> asked = asks();
    pass(WAIT, asked);
    assertTrue(asked.join().isEmpty());
    store.slow(false);
    held.release();
  }

  @Test
  @DisplayName("a grant for one that has left goes to the next that waits")
  void lateGrant() {
    store.slow(true);
    CompletableFuture<Optional<Lease>> first = asks();
    pass(WAIT, first);
    failure(first);
    CompletableFuture<Optional<Lease>> second = asks();
    store.answer();
    assertTrue(second.join().isPresent());
    assertEquals(1, store.asked());
    store.slow(false);
    second.join().orElseThrow().release();
  }

  @Test
  @DisplayName(
      "the remains of an earlier attempt are no contention, also for a caller that asks" + " once")
  void leftOver() {
    store.slow(true);
    CompletableFuture<Optional<Lease>> first = asks();
    pass(WAIT, first);
    failure(first);
    CompletableFuture<Optional<Lease>> once =
        lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    awaitAsked(2);
    time.advance(WHILE);
    store.answer(); // granted to the first, which has left: it is released
    store.answer(); // "held", by an unknown token
    assertFalse(once.isDone());
    store.answer(); // the release is confirmed
    awaitAsked(3);
    store.answer();
    assertTrue(once.join().isPresent());
    store.slow(false);
    once.join().orElseThrow().release();
  }

  @Test
  @DisplayName("a call whose waiter has left shows the store's health")
  void health() {
    store.slow(true);
    CompletableFuture<Optional<Lease>> first = asks();
    pass(WAIT, first);
    time.advance(TIMEOUT); // its question fails
    Spin.until(
        () -> { // until that has been taken in
          CompletableFuture<Optional<Lease>> next = asks();
          pass(WAIT, next);
          return failure(next).getMessage().startsWith("the store has failed for 100ms: ");
        });
  }

  @Test
  @DisplayName("a wait that was too short is no trouble of the store's")
  void tooShort() {
    store.slow(true);
    CompletableFuture<Optional<Lease>> first =
        lock.tryAcquireAsync(Duration.ofNanos(100_000)).toCompletableFuture();
    pass(Duration.ofNanos(100_000), first);
    assertEquals("no answer yet within 0.1ms, the time to wait", failure(first).getMessage());
    CompletableFuture<Optional<Lease>> second = asks();
    pass(WAIT, second);
    assertEquals("no answer yet within 100ms, the time to wait", failure(second).getMessage());
  }

  @Test
  @DisplayName("a view waits for its first answer, and for no more")
  void view() throws Exception {
    store.slow(true);
    FutureTask<Boolean> free =
        new FutureTask<>(() -> lock.asLock().tryLock(1, TimeUnit.NANOSECONDS));
    new Thread(free).start();
    awaitAsked(1);
    store.answer();
    assertTrue(free.get(10, SECONDS));

    FutureTask<Boolean> held =
        new FutureTask<>(() -> lock.asLock().tryLock(1, TimeUnit.NANOSECONDS));
    new Thread(held).start();
    assertFalse(held.get(10, SECONDS), "another thread of this process has it");
  }
}
