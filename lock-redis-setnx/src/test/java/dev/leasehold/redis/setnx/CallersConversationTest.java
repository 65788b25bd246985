package dev.leasehold.redis.setnx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Callers that talk with the server themselves, and a server that falls silent")
@Timeout(60)
class CallersConversationTest {
  /** How long a call lasts that is not cut off. */
  private static final String UNCUT = "50s";

  private static final long MOST_SECONDS = 20;

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static LockManager open(String uri, String timeout, String connections) {
    LockManager locks =
        LockManager.open(
            LockSettings.of(
                Map.of(
                    "lock.backend",
                    "redis-setnx",
                    "lock.redis.uri",
                    uri,
                    "lock.command-timeout",
                    timeout,
                    "lock.redis-setnx.connections",
                    connections,
                    "lock.redis.connect-timeout",
                    "10s")));
    locks.lock("first").tryAcquire().orElseThrow().release();
    locks.lock("first").tryAcquire().orElseThrow().release();
    return locks;
  }

  /** A thread in a call that has no answer, as its stack shows. */
  private static final class Hanging {
    final CompletableFuture<Object> ended = new CompletableFuture<>();
    final Thread thread;

    Hanging(Callable<?> call) {
      assumeTrue(CallersConversation.on(new Background()).isPresent(), "this Jedis can't be cut");
      thread =
          new Thread(
              () -> {
                try {
                  ended.complete(call.call());
                } catch (Exception | Error e) {
                  ended.complete(e);
                }
              });
      thread.start();
      Await.until("it reads itself", () -> reads() || ended.isDone());
    }

    private boolean reads() {
      return Arrays.stream(thread.getStackTrace())
          .anyMatch(frame -> frame.getClassName().startsWith("redis.clients.jedis."));
    }
  }

  @Test
  @DisplayName("An interrupt ends acquire() in the middle of a call, and nothing is left of it")
  void interrupted() throws Exception {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        LockManager locks = open(proxy.uri(), UNCUT, "4")) {
      Hanging hanging;
      try (ActiveFault silent = proxy.blackhole()) {
        hanging = new Hanging(() -> locks.lock("interrupted").acquire());
        hanging.thread.interrupt();
        assertInstanceOf(InterruptedException.class, hanging.ended.get(MOST_SECONDS, SECONDS));
        assertTrue(silent.hits() > 0);
      }
      locks.lock("interrupted").acquire().release();
    }
  }

  @Test
  @DisplayName("A call ends by the command time-out, and an interrupt of tryAcquire() is kept")
  void commandTimeout() throws Exception {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        LockManager locks = open(proxy.uri(), "2s", "4")) {
      long begun = System.nanoTime();
      try (ActiveFault silent = proxy.blackhole()) {
        Hanging hanging =
            new Hanging(
                () -> {
                  Thread.currentThread().interrupt();
                  try {
                    return locks.lock("silent").tryAcquire();
                  } catch (LockStoreException e) {
                    return Thread.interrupted();
                  }
                });
        assertEquals(true, hanging.ended.get());
        assertTrue(silent.hits() > 0);
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(took.toMillis() < 10_000, "took " + took);
      locks.lock("silent").acquire().release();
    }
  }

  @Test
  @DisplayName("Closing the manager ends a call")
  void closed() throws Exception {
    try (RespProxy proxy = RespProxy.inFrontOf(server)) {
      LockManager locks = open(proxy.uri(), UNCUT, "4");
      CompletableFuture<Void> closing;
      try (ActiveFault silent = proxy.blackhole()) {
        Hanging hanging = new Hanging(() -> locks.lock("closed").acquire());
        closing = CompletableFuture.runAsync(locks::close);
        assertInstanceOf(
            LockManagerClosedException.class, hanging.ended.get(MOST_SECONDS, SECONDS));
        assertTrue(silent.hits() > 0);
      }
      closing.get();
    }
  }

  @Test
  @DisplayName("120 threads on four connections: no interrupt is lost, and no pair fails")
  void manyThreads() throws Exception {
    try (LockManager locks = open(server.uri(), "10s", "4");
        LockManager others = open(server.uri(), "10s", "4")) {
      AtomicInteger kept = new AtomicInteger();
      List<Hanged> threads = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        String name = "many-" + i;
        threads.add(
            new Hanged(
                () -> {
                  for (int n = 0; n < 10; n++) {
                    Lease lease = locks.lock(name).acquire();
                    if (n == 0) {
                      assertTrue(others.lock(name).tryAcquire().isEmpty());
                    }
                    Thread.currentThread().interrupt();
                    lease.release();
                    kept.addAndGet(Thread.interrupted() ? 1 : 0);
                  }
                  return null;
                }));
      }
      for (Hanged each : threads) {
        each.ended.get();
      }
      assertEquals(1200, kept.get());
      for (int i = 0; i < threads.size(); i++) {
        others.lock("many-" + i).tryAcquire().orElseThrow().release();
      }
    }
  }

  private static final class Hanged {
    final CompletableFuture<Object> ended = new CompletableFuture<>();

    Hanged(Callable<?> call) {
      new Thread(
              () -> {
                try {
                  ended.complete(call.call());
                } catch (Exception | Error e) {
                  ended.completeExceptionally(e);
                }
              })
          .start();
    }
  }
}
