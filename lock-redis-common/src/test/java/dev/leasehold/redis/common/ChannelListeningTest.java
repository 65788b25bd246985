package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Listening on a store's channel")
class ChannelListeningTest {
  private final ChannelListening listening =
      new ChannelListening(
          KeySpace.WHOLE,
          Publishing.COUNTS_ALL,
          (failure, what) -> new LockStoreException(Kind.UNREACHABLE, what, failure)) {
        @Override
        protected void begin() {
          begun.incrementAndGet();
        }
      };
  private final AtomicInteger begun = new AtomicInteger();
  private final List<String> woken = new ArrayList<>();

  private CompletableFuture<Watch> watch(String name) {
    return listening.watch(name, () -> woken.add(name)).toCompletableFuture();
  }

  @Test
  @DisplayName("begins with the first watch, once, and is reported to all when the server confirms")
  void begins() {
    CompletableFuture<Watch> first = watch("a");
    CompletableFuture<Watch> second = watch("b");
    assertEquals(1, begun.get());
    assertFalse(first.isDone() || second.isDone());
    listening.confirmed();
    assertTrue(first.isDone() && second.isDone() && listening.isConfirmed());
    assertEquals(List.of("a", "b"), woken.stream().sorted().toList());
    listening.message("b".getBytes(UTF_8));
    assertEquals("b", woken.get(2));
    second.join().close();
    listening.message("b".getBytes(UTF_8));
    assertEquals(3, woken.size());
  }

  @Test
  @DisplayName("After a break new watches wait, nothing begins by itself, and all are woken")
  void breaks() {
    watch("a");
    listening.confirmed();
    woken.clear();
    listening.broken();
    CompletableFuture<Watch> meanwhile = watch("b");
    assertFalse(meanwhile.isDone() || listening.isConfirmed());
    listening.broken(); // again, before it came to listening: waiters go on
    assertFalse(meanwhile.isDone());
    listening.confirmed();
    assertTrue(meanwhile.isDone());
    assertEquals(1, begun.get());
    assertEquals(List.of("a", "b"), woken.stream().sorted().toList());
  }

  @Test
  @DisplayName("A failure names the lock to one of several waiters, and never a token")
  void tellsNoToken() {
    CompletableFuture<Watch> own =
        listening.watchOwn(new LeaseKey("a", "label:secret"), () -> {}).toCompletableFuture();
    listening.failed(new IllegalStateException("no route"));
    String told = assertThrows(CompletionException.class, own::join).getCause().getMessage();
    assertTrue(told.contains("'a'") && !told.contains("secret"), told);
  }

  @Test
  @DisplayName("A failure reaches all waiters, and the next watch starts anew")
  void fails() {
    CompletableFuture<Watch> refused = watch("a");
    listening.failed(new IllegalStateException("no route"));
    var thrown = assertThrows(CompletionException.class, refused::join);
    assertTrue(thrown.getCause().getMessage().contains("'a'"), thrown.getCause().getMessage());
    CompletableFuture<Watch> next = watch("b");
    assertEquals(2, begun.get());
    listening.confirmed();
    assertTrue(next.isDone());
    assertEquals(List.of("b"), woken, "a refused one does not watch");
  }

  @Test
  @DisplayName("Once closed, no thread waits, and nothing begins")
  void closes() {
    CompletableFuture<Watch> pending = watch("a");
    listening.close();
    assertTrue(pending.isCompletedExceptionally());
    assertTrue(watch("b").isCompletedExceptionally());
    assertEquals(1, begun.get());
  }
}
