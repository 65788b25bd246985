package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.Latches;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Latches of a store in which an unopened latch is at zero")
class UnopenedLatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();
  private final LatchStub store = new LatchStub();
  private LockManager locks;

  @AfterEach
  void close() {
    locks.close();
  }

  private DistributedLatch gate(boolean opening) {
    if (!opening) {
      store.promised.remove(Guarantee.LATCH_OPENING);
    }
    locks = time.manager(store).build();
    return locks.latch("loaded");
  }

  private void forgotten() {
    store.state = Optional.empty();
    store.wakeUp.run();
  }

  @Test
  @DisplayName("Without the guarantee a newcomer passes, with it it waits")
  void passes() throws Exception {
    DistributedLatch gate = gate(false);
    gate.await();
    assertTrue(gate.await(Duration.ZERO));
    assertEquals(OptionalInt.empty(), gate.count());
    locks.close();
    store.promised.add(Guarantee.LATCH_OPENING);
    assertFalse(gate(true).await(Duration.ZERO));
  }

  @Test
  @DisplayName("One whose round is known and that is gone is no zero; one without a round is")
  void rounds() {
    DistributedLatch gate = gate(false);
    store.opened("r", 1, HOUR);
    CompletableFuture<Void> ours = gate.awaitAsync().toCompletableFuture();
    forgotten();
    assertInstanceOf(
        LatchExpiredException.class,
        assertThrows(CompletionException.class, ours::join).getCause());
    store.opened("", 2, HOUR);
    CompletableFuture<Void> theirs = gate.awaitAsync().toCompletableFuture();
    assertFalse(theirs.isDone());
    assertEquals(OptionalInt.of(2), gate.count());
    forgotten();
    theirs.join();
  }

  @Test
  @DisplayName("A waiter for a round that was at zero passes, though one without a round follows")
  void passed() {
    DistributedLatch gate = gate(false);
    store.opened("r", 1, HOUR);
    CompletableFuture<Void> waits = gate.awaitAsync().toCompletableFuture();
    assertFalse(waits.isDone());
    store.state = Optional.of(new Latches.State("", 3, HOUR, "r"));
    store.wakeUp.run();
    waits.join();
  }

  @Test
  @DisplayName(
      "A waiter that comes after an expiry above zero gets the exception; at zero it" + " passes")
  void late() throws Exception {
    DistributedLatch gate = gate(false);
    time.advance(HOUR);
    store.opened("r", 1, SECOND.negated());
    assertThrows(LatchExpiredException.class, gate::await);
    store.opened("r", 0, SECOND.negated());
    gate.await();
  }
}
