package dev.leasehold.redis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server is asked for its compare-and-delete")
class NativeDeletesTest {
  private static final List<List<String>> NEITHER = Arrays.asList(null, null);
  private static final List<List<String>> VALKEY = Arrays.asList(null, List.of("delifeq"));

  private Supplier<CompletionStage<?>> server = CompletableFuture::new;
  private long now;
  private int questions;
  private final NativeDeletes deletes = new NativeDeletes(driver());

  /** Answers nothing else. */
  private RedisDriver driver() {
    return (RedisDriver)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RedisDriver.class},
            (proxy, method, arguments) -> {
              assertEquals("commandInfo", method.getName());
              questions++;
              return server.get();
            });
  }

  private int questionsAt(Duration later) {
    now = later.toNanos();
    deletes.start(() -> now);
    deletes.ask("x", new byte[] {'x'});
    return questions;
  }

  @Test
  @DisplayName("once, and not a second time meanwhile")
  void once() {
    CompletableFuture<List<?>> question = new CompletableFuture<>();
    server = () -> question;
    assertEquals(1, questionsAt(Duration.ZERO));
    assertEquals(1, questionsAt(Duration.ofHours(2)));
    question.complete(VALKEY);
    assertEquals(CompareAndDelete.DELIFEQ, deletes.known());
    assertEquals(1, questionsAt(Duration.ofHours(4)));
  }

  @Test
  @DisplayName("an hour later if it has none, or may not be asked")
  void withoutOne() {
    server = () -> CompletableFuture.completedFuture(NEITHER);
    assertEquals(1, questionsAt(Duration.ZERO));
    assertEquals(1, questionsAt(Duration.ofMinutes(59)));
    server = () -> CompletableFuture.failedFuture(new LockStoreException(Kind.REFUSED, "NOPERM"));
    assertEquals(2, questionsAt(Duration.ofMinutes(60)));
    assertEquals(2, questionsAt(Duration.ofMinutes(119)));
    assertEquals(3, questionsAt(Duration.ofMinutes(120)));
  }

  @Test
  @DisplayName("a second later if there was no answer")
  void unanswered() {
    server = () -> CompletableFuture.failedFuture(new LockStoreException(Kind.TIMED_OUT, "late"));
    assertEquals(1, questionsAt(Duration.ZERO));
    assertEquals(1, questionsAt(Duration.ofMillis(999)));
    assertEquals(2, questionsAt(Duration.ofMillis(1000)));
  }

  /** As where the engine's executor takes no more calls of a blocking client. */
  @Test
  @DisplayName("a second later if the question was not even sent, which the acquisition survives")
  void notSent() {
    server =
        () -> {
          throw new RejectedExecutionException("closed");
        };
    assertEquals(1, questionsAt(Duration.ZERO));
    assertNull(deletes.known());
    assertEquals(1, questionsAt(Duration.ofMillis(999)));
    server = () -> CompletableFuture.completedFuture(VALKEY);
    assertEquals(2, questionsAt(Duration.ofMillis(1000)));
    assertEquals(CompareAndDelete.DELIFEQ, deletes.known());
  }
}
