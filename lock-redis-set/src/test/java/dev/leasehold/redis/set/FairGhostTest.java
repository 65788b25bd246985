package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import io.lettuce.core.Range;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A waiter that gave up, and whose message about that was lost, stays in the server's queue. Its
 * process still listens, so the server does not skip it. There is no other waiter to be notified.
 */
@DisplayName("lock.redis.fair: a place without a waiter")
class FairGhostTest {
  private static final Duration FAR = Duration.ofSeconds(20);
  private static TestServer server;

  private LockManager holder;
  private LockManager process;

  @BeforeAll
  static void start() {
    server = ServerKind.EMBEDDED.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    server.admin().flushall();
    LockSettings settings =
        LockSettings.of(
            Map.of(
                "lock.redis.uri",
                server.uri(),
                "lock.redis.fair",
                "true",
                "lock.wait.longest",
                FAR.toSeconds() + "s"));
    holder = LockManager.open(settings);
    process = LockManager.open(settings);
  }

  @AfterEach
  void close() {
    process.close();
    holder.close();
  }

  private CompletableFuture<Lease> waits() {
    long before = server.admin().zcard("lh:{x}:wait");
    CompletableFuture<Lease> asked = process.lock("x").acquireAsync().toCompletableFuture();
    Await.until("it stands in the line", () -> server.admin().zcard("lh:{x}:wait") > before);
    return asked;
  }

  /** So many before all that stand there, of the same store. */
  private static void haunt(int ghosts) {
    List<String> line = server.admin().zrange("lh:{x}:wait", 0, -1);
    String store = line.get(0).substring(0, line.get(0).indexOf(':'));
    for (int i = 0; i < ghosts; i++) {
      server.admin().zadd("lh:{x}:wait", 1 + i, store + ":gone" + i);
    }
  }

  private static Duration untilGranted(CompletableFuture<Lease> asked, Lease held)
      throws Exception {
    long released = System.nanoTime();
    held.release();
    asked.get(FAR.multipliedBy(2).toSeconds(), TimeUnit.SECONDS);
    return Duration.ofNanos(System.nanoTime() - released);
  }

  private static void isWithin(Duration limit, Duration took) {
    assertTrue(took.compareTo(limit) < 0, () -> "it took " + took.toMillis() + " ms");
  }

  @Test
  @DisplayName("FA-3 costs the next waiter of the same process a second at most")
  void one() throws Exception {
    Lease held = holder.lock("x").acquire();
    CompletableFuture<Lease> next = waits();
    CompletableFuture<Lease> third = waits();
    haunt(1);
    Duration took = untilGranted(next, held);
    isWithin(FAR.dividedBy(2), took);
    isWithin(FAR.dividedBy(2), untilGranted(third, next.join()));
    third.join().release();
    assertEquals(0, server.admin().zcount("lh:{x}:wait", Range.unbounded()));
  }

  @Test
  @DisplayName("FA-3 also several of them, each by itself")
  void several() throws Exception {
    Lease held = holder.lock("x").acquire();
    CompletableFuture<Lease> next = waits();
    haunt(3);
    Duration took = untilGranted(next, held);
    isWithin(FAR.dividedBy(2), took);
    next.join().release();
  }
}
