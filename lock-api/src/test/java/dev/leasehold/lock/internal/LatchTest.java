package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Latches in the engine, with time that the test moves")
class LatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Supplier<CompletionStage<?>> UNREACHABLE =
      () -> CompletableFuture.failedFuture(new LockStoreException(Kind.UNREACHABLE, "away"));

  private final ManualTime time = new ManualTime();
  private final LatchStub store = new LatchStub();
  private final LockManager locks = time.manager(store).random(new Random(14)).build();
  private final DistributedLatch gate = locks.latch("loaded");

  @AfterEach
  void close() {
    locks.close();
  }

  private static <T> Throwable failure(CompletableFuture<T> stage) {
    return assertThrows(CompletionException.class, () -> stage.join()).getCause();
  }

  private CompletableFuture<Void> waiting() {
    return gate.awaitAsync().toCompletableFuture();
  }

  @Test
  @DisplayName("A store without latches refuses at once, and names backends that have them")
  void refuses() {
    try (LockManager other = LockManager.over(new MapStore(Ticker.system())).build()) {
      String words =
          String.valueOf(
              assertThrows(LockConfigurationException.class, () -> other.latch("loaded"))
                  .getMessage());
      for (String part : List.of("'loaded'", "LATCH", "redis-set")) {
        assertTrue(words.contains(part), words);
      }
    }
  }

  @Test
  @DisplayName("A thousand waiters are one question, and leave nothing behind")
  void askTogether() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      time.advance(Duration.ofNanos(1));
      all.add(waiting());
    }
    store.asked.clear();
    time.advance(SECOND.multipliedBy(10));
    assertTrue(store.asked.size() <= 11, store.asked::toString);
    store.opened("r", 0, HOUR);
    store.wakeUp.run();
    all.forEach(CompletableFuture::join);
    store.asked.clear();
    time.advance(HOUR);
    assertEquals(List.of(), store.asked);
  }

  @Test
  @DisplayName("The last one that gives up leaves the store's line, and stops listening")
  void leaves() {
    CompletableFuture<Void> one = waiting();
    CompletableFuture<Boolean> other = gate.awaitAsync(SECOND).toCompletableFuture();
    one.cancel(false);
    assertEquals(0, store.count("leave"));
    time.advance(SECOND.plusMillis(1));
    assertFalse(other.join());
    assertEquals(1, store.count("leave"));
    assertEquals(1, store.count("unwatch"));
  }

  @Test
  @DisplayName(
      "A waiter that comes after the expiry waits for the next; an earlier one gets the"
          + " exception")
  void over() {
    store.opened("r", 1, SECOND);
    CompletableFuture<Void> before = waiting();
    time.advance(Duration.ofMillis(500));
    store.opened("r", 1, Duration.ofMillis(500));
    time.advance(SECOND);
    store.opened("r", 1, Duration.ofMillis(-500));
    CompletableFuture<Void> after = waiting();
    assertInstanceOf(LatchExpiredException.class, failure(before));
    time.advance(SECOND);
    assertFalse(after.isDone());
    store.state = Optional.of(new Latches.State("next", 0, HOUR, ""));
    time.advance(SECOND.multipliedBy(2));
    after.join();
  }

  @Test
  @DisplayName("A waiter that slept through zero, the expiry and the next round still passes")
  void sleptThrough() {
    store.opened("r", 1, SECOND);
    CompletableFuture<Void> passed = waiting();
    CompletableFuture<Void> unseen = locks.latch("other").awaitAsync().toCompletableFuture();
    store.state = Optional.of(new Latches.State("next", 2, HOUR, "r"));
    time.advance(SECOND.multipliedBy(2));
    passed.join();
    unseen.join();
  }

  @Test
  @DisplayName(
      "A waiter without a time limit tolerates an unreachable store for the store" + " time-out")
  void storeAway() {
    store.trouble = UNREACHABLE;
    CompletableFuture<Void> unbounded = waiting();
    CompletableFuture<Boolean> timed = gate.awaitAsync(SECOND).toCompletableFuture();
    CompletableFuture<Boolean> once = gate.awaitAsync(Duration.ZERO).toCompletableFuture();
    assertEquals("away", failure(once).getMessage());
    time.advance(SECOND);
    assertTrue(String.valueOf(failure(timed).getMessage()).contains("away"));
    time.advance(Duration.ofSeconds(8));
    assertFalse(unbounded.isDone());
    time.advance(Duration.ofSeconds(3));
    assertEquals("away", failure(unbounded).getMessage());
  }

  @Test
  @DisplayName("A store that hangs, throws or answers nothing ends a wait as its time says")
  void storeWrong() {
    store.trouble = CompletableFuture::new;
    CompletableFuture<Boolean> hung = gate.awaitAsync(SECOND).toCompletableFuture();
    time.advance(SECOND);
    assertInstanceOf(LockStoreException.class, failure(hung));
    store.trouble =
        () -> {
          throw new MapStore.Trouble();
        };
    CompletableFuture<Boolean> thrown = gate.awaitAsync(Duration.ZERO).toCompletableFuture();
    time.advance(SECOND.multipliedBy(3));
    assertInstanceOf(LockStoreException.class, failure(thrown));
    store.trouble = () -> CompletableFuture.completedFuture(null);
    CompletableFuture<Boolean> nothing = gate.awaitAsync(Duration.ZERO).toCompletableFuture();
    time.advance(SECOND);
    assertInstanceOf(LockStoreException.class, failure(nothing));
    CompletableFuture<Boolean> counted = gate.countDownAsync().toCompletableFuture();
    time.advance(SECOND.multipliedBy(12));
    assertInstanceOf(LockStoreException.class, failure(counted));
    assertThrows(LockStoreException.class, gate::count);
  }

  @Test
  @DisplayName("A count-down is sent until it is answered, always the same")
  void insists() {
    store.trouble = UNREACHABLE;
    CompletableFuture<Boolean> counted = gate.countDownAsync().toCompletableFuture();
    time.advance(SECOND);
    assertFalse(counted.isDone());
    store.trouble = null;
    time.advance(SECOND);
    assertTrue(counted.join());
    assertTrue(store.asked.size() > 2, store.asked::toString);
    assertEquals(1, store.asked.stream().distinct().count(), store.asked::toString);
    assertTrue(gate.countDown());
    assertEquals(2, store.asked.stream().distinct().count(), "another has a token of its own");
  }

  @Test
  @DisplayName("A process that stood still longer than the store time-out does not send it again")
  void stoodStill() {
    AtomicLong still = new AtomicLong();
    try (LockManager paused =
        time.manager(store).ticker(() -> time.nanos() + still.get()).build()) {
      store.trouble = UNREACHABLE;
      CompletableFuture<Boolean> counted =
          paused.latch("loaded").countDownAsync().toCompletableFuture();
      assertEquals(1, store.asked.size());
      store.trouble = null;
      still.addAndGet(HOUR.toNanos());
      time.advance(SECOND);
      assertEquals("away", failure(counted).getMessage());
      assertEquals(1, store.asked.size(), "the store may have forgotten that it counted");
    }
  }

  @Test
  @DisplayName("It gives up after the store time-out, and at once where the store refuses")
  void givesUp() {
    store.trouble = UNREACHABLE;
    CompletableFuture<Boolean> vain = gate.countDownAsync().toCompletableFuture();
    time.advance(Duration.ofSeconds(12));
    assertEquals("away", failure(vain).getMessage());
    int sent = store.asked.size();
    time.advance(HOUR);
    assertEquals(sent, store.asked.size());
    store.trouble =
        () -> CompletableFuture.failedFuture(new LockStoreException(Kind.REFUSED, "NOPERM"));
    assertThrows(LockStoreException.class, () -> gate.open(1, HOUR));
    assertEquals(sent + 1, store.asked.size());
  }

  @Test
  @DisplayName(
      "However long the store time-out is, nothing is sent that the store may have forgotten")
  void remembered() {
    try (LockManager patient = time.manager(store).storeTimeout(HOUR).build()) {
      store.trouble = UNREACHABLE;
      CompletableFuture<Boolean> vain =
          patient.latch("loaded").countDownAsync().toCompletableFuture();
      time.advance(SECOND.multipliedBy(125)); // a store remembers for 150 s
      assertTrue(vain.isDone(), "it gave up");
      assertEquals("away", failure(vain).getMessage());
    }
  }

  @Test
  @DisplayName("A close ends waiters, and a count-down that pauses")
  void closes() {
    CompletableFuture<Void> waiter = waiting();
    store.trouble = UNREACHABLE;
    CompletableFuture<Boolean> counting = gate.countDownAsync().toCompletableFuture();
    locks.close();
    assertInstanceOf(LockManagerClosedException.class, failure(waiter));
    assertInstanceOf(LockManagerClosedException.class, failure(counting));
    assertEquals("close", store.asked.get(store.asked.size() - 1));
    assertTrue(store.asked.contains("leave"), store.asked::toString);
    assertThrows(LockManagerClosedException.class, gate::countDown);
    assertInstanceOf(LockManagerClosedException.class, failure(waiting()));
  }

  @Test
  @DisplayName("A callback that blocks or throws delays no other waiter")
  void callbacks() {
    try (LockManager own = LockManager.over(store).build()) {
      DistributedLatch mine = own.latch("loaded");
      CompletableFuture<Void> never = new CompletableFuture<>();
      CompletableFuture<String> thread = new CompletableFuture<>();
      mine.awaitAsync()
          .thenRun(
              () -> {
                thread.complete(Thread.currentThread().getName());
                never.join();
              });
      mine.awaitAsync()
          .thenRun(
              () -> {
                throw new MapStore.Trouble();
              });
      CompletableFuture<Void> other = mine.awaitAsync().toCompletableFuture();
      store.opened("r", 0, HOUR);
      mine.awaitAsync().toCompletableFuture().join();
      other.join();
      assertTrue(thread.join().startsWith("leasehold-callback-"), thread::join);
      never.complete(null);
    }
  }
}
