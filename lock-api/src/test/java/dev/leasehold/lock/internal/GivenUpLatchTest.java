package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The close waits for what is under way as long as a command may take: here, for ever. */
@Timeout(20)
@DisplayName("Count-downs that are given up, and a close")
class GivenUpLatchTest {
  private static final Duration COMMAND = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();
  private final LatchStub store = new LatchStub();
  private final List<CompletableFuture<Boolean>> underWay = new ArrayList<>();
  private final LockManager locks = time.manager(store).commandTimeout(COMMAND).build();
  private final DistributedLatch gate = locks.latch("loaded");

  /** One whose answer the test gives. */
  private CompletableFuture<Boolean> countDown() {
    store.trouble =
        () -> {
          CompletableFuture<Boolean> answer = new CompletableFuture<>();
          underWay.add(answer);
          return answer;
        };
    return gate.countDownAsync().toCompletableFuture();
  }

  @Test
  @DisplayName("A cancelled call is under way until its answer arrives, and no longer")
  void cancelled() {
    assertTrue(countDown().cancel(false));
    underWay.get(0).complete(true);
    locks.close();
    assertEquals("close", store.asked.get(store.asked.size() - 1));
  }

  @Test
  @DisplayName("One that ended by a time-out of the user's likewise")
  void timedOut() {
    CompletableFuture<Boolean> counted = countDown();
    assertTrue(counted.completeExceptionally(new TimeoutException("of the user's")));
    underWay.get(0).complete(true);
    locks.close();
    assertEquals("close", store.asked.get(store.asked.size() - 1));
  }

  @Test
  @DisplayName("One that never gets an answer ends by the command time-out")
  void unanswered() {
    assertTrue(countDown().cancel(false));
    time.advance(COMMAND);
    assertTrue(underWay.get(0).isCancelled());
    locks.close();
    assertEquals(1, store.asked.stream().filter(call -> call.startsWith("count-down")).count());
  }

  @Test
  @DisplayName("A close fails those under way at once, and closes the store when they have ended")
  void closed() throws Exception {
    CompletableFuture<Boolean> counted = countDown();
    Thread closing = new Thread(locks::close);
    closing.setDaemon(true);
    closing.start();
    Throwable failure = assertThrows(CompletionException.class, counted::join).getCause();
    assertInstanceOf(LockManagerClosedException.class, failure);
    assertFalse(store.asked.contains("close"), "whether it counted is not known yet");
    underWay.get(0).complete(true);
    closing.join();
    assertTrue(store.asked.contains("close"));
  }
}
