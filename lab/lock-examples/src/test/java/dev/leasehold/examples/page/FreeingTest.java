package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.page.OperationsPage.Command;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The page of operations frees locks as described, on a real server")
class FreeingTest extends OperatedKeys {
  /** A hold of the first manager and a request of the second that waits for it. */
  private record Stuck(Optional<Lease> held, CompletableFuture<?> waiting) {
    static Stuck of(String what, LockManager one, LockManager two) throws InterruptedException {
      return switch (what) {
        case "A lock, fair or not" ->
            of(one.lock("orders").acquire(), two.lock("orders").acquireAsync());
        case "One reader", "All readers" ->
            of(
                one.readWriteLock("page").read().acquire(),
                two.readWriteLock("page").write().acquireAsync());
        case "The writer" ->
            of(
                one.readWriteLock("page").write().acquire(),
                two.readWriteLock("page").read().acquireAsync());
        case "A permit", "A permit of a quorum" ->
            of(one.semaphore("export", 1).acquire(), two.semaphore("export", 1).acquireAsync(1));
        case "A latch: opens it for its waiters" -> {
          assertTrue(one.latch("loaded").open(1, Duration.ofHours(1)));
          yield new Stuck(Optional.empty(), two.latch("loaded").awaitAsync().toCompletableFuture());
        }
        default -> throw new IllegalStateException("the page has '" + what + "', which is new");
      };
    }

    private static Stuck of(Lease held, CompletionStage<Lease> waiting) {
      return new Stuck(Optional.of(held), waiting.toCompletableFuture());
    }
  }

  private static boolean isThere(String what, LockManager locks) {
    boolean quorum = locks.guarantees().contains(Guarantee.QUORUM);
    return switch (what) {
      case "A lock, fair or not" -> true;
      case "One reader", "All readers", "The writer" ->
          locks.guarantees().contains(Guarantee.SHARED);
      case "A permit" -> locks.guarantees().contains(Guarantee.PERMITS) && !quorum;
      case "A permit of a quorum" -> quorum;
      default -> locks.guarantees().contains(Guarantee.LATCH);
    };
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A lock freed by hand passes to its waiter, and its holder is notified")
  void freed(Backend backend) throws Exception {
    Map<String, Command> rows = OperationsPage.read().freeing(backend.block() == REDISSON ? 1 : 0);
    assertTrue(rows.size() >= 6, rows::toString);
    try (LockManager one = backend.open("one");
        LockManager two = backend.open("two")) {
      for (Command row : rows.values()) {
        if (!isThere(row.tells(), one)) {
          continue;
        }
        if (row.tells().startsWith("A latch")) {
          spoilsNone(backend, row);
        }
        Stuck stuck = Stuck.of(row.tells(), one, two);
        String token = row.line().contains("label:secret") ? token(backend) : "";
        assertFalse(stuck.waiting().isDone());
        for (RedisServer node : backend.nodes()) {
          row.of(token).answer(node);
        }
        Object got = Await.value(stuck.waiting());
        if (stuck.held().isPresent()) {
          Lease lost = stuck.held().get();
          assertFalse(lost.extend(LONGER), row::toString);
          LeaseLoss loss = Await.value(lost.lost().toCompletableFuture());
          assertEquals(LeaseLoss.Reason.NOT_OWNER, loss.reason(), row::toString);
          assertThrows(LeaseLostException.class, lost::release);
          ((Lease) got).release();
        }
      }
    }
  }

  /** Run for an unused name, the command leaves no data that would affect later users. */
  private static void spoilsNone(Backend backend, Command freeing) throws Exception {
    for (RedisServer node : backend.nodes()) {
      String before = answer(node, "KEYS", "*loaded*");
      freeing.answer(node);
      assertEquals(before, answer(node, "KEYS", "*loaded*"), freeing::toString);
    }
  }

  @Test
  @DisplayName("A key deleted on one node of a quorum only is restored by the holder")
  void minority() throws Exception {
    RedisServer node = servers.servers().get(0);
    try (LockManager one = Backend.QUORUM.open("one")) {
      Lease lease = one.lock("orders").acquire();
      node.call("DEL", "lh:{orders}");
      assertTrue(lease.extend(LONGER));
      Await.until("it is back", () -> answer(node, "GET", "lh:{orders}").startsWith("one:"));
      lease.release();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Backend.class,
      names = {"REDIS_SET", "REDIS_SETNX", "REDISSON"})
  @DisplayName("A holder that came after the listing keeps its hold")
  void nextHolder(Backend backend) throws Exception {
    Map<String, Command> rows = OperationsPage.read().freeing(backend.block() == REDISSON ? 1 : 0);
    try (LockManager one = backend.open("one");
        LockManager two = backend.open("two")) {
      for (String what : List.of("A lock, fair or not", "The writer", "One reader", "A permit")) {
        if (!isThere(what, one)) {
          continue;
        }
        Lease seen = held(what, one);
        String token = token(backend);
        seen.release();
        Lease next = held(what, two);
        for (RedisServer node : backend.nodes()) {
          rows.get(what).of(token).answer(node);
        }
        assertTrue(next.extend(LONGER), what);
        next.release();
      }
    }
  }

  private static Lease held(String what, LockManager by) throws InterruptedException {
    return switch (what) {
      case "A lock, fair or not" -> by.lock("orders").acquire();
      case "The writer" -> by.readWriteLock("page").write().acquire();
      case "One reader" -> by.readWriteLock("page").read().acquire();
      default -> by.semaphore("export", 1).acquire();
    };
  }
}
