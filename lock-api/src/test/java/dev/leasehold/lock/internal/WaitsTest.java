package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.internal.threads.Waits;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How a wait without a time limit ends")
class WaitsTest {
  /** As if an interrupt had come while the first one waited. */
  private static final class InterruptedOnce extends CompletableFuture<String> {
    private int waits;

    @Override
    public String get() throws InterruptedException, ExecutionException {
      if (waits++ == 0) {
        throw new InterruptedException();
      }
      return super.get();
    }
  }

  @Test
  @DisplayName("an interrupt does not end it, and is kept for later")
  void interrupted() {
    InterruptedOnce future = new InterruptedOnce();
    future.complete("it");
    assertEquals("it", Waits.join(future));
    assertTrue(Thread.interrupted());
  }

  @Test
  @DisplayName("a failure is the original one, whatever wraps it")
  void unwrapped() {
    IllegalStateException first = new IllegalStateException("of the test's");
    CompletableFuture<String> failed =
        CompletableFuture.failedFuture(new CompletionException(new CompletionException(first)));
    assertSame(first, assertThrows(IllegalStateException.class, () -> Waits.join(failed)));
    CompletionException empty = new CompletionException("without a cause", null);
    assertSame(empty, Waits.unwrapped(empty));
  }

  @Test
  @DisplayName("one that a caller need not expect is the cause of one that it may get")
  void checked() {
    IOException first = new IOException("of the test's");
    CompletableFuture<String> failed = CompletableFuture.failedFuture(first);
    assertSame(
        first, assertThrows(IllegalStateException.class, () -> Waits.join(failed)).getCause());
  }

  @Test
  @DisplayName("an error is thrown as it is")
  void error() {
    CompletableFuture<String> failed = CompletableFuture.failedFuture(new MapStore.Trouble());
    assertThrows(MapStore.Trouble.class, () -> Waits.join(failed));
  }
}
