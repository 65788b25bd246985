package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Waiting;
import dev.leasehold.lock.spi.Watch;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FencedStoreTest {
  private static Process server;
  private static int port;
  private LeaseStore store;

  @BeforeAll
  static void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        new ProcessBuilder("redis-server", "--port", "" + port, "--save", "")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (true) {
      try {
        new Socket("127.0.0.1", port).close();
        return;
      } catch (IOException e) {
        Thread.onSpinWait();
      }
    }
  }

  @AfterAll
  static void stop() {
    server.destroy();
  }

  @BeforeEach
  void open() {
    store =
        new RedisSetBackend()
            .open(LockSettings.of(Map.of("lock.redis.uri", "redis://127.0.0.1:" + port)));
    store.start(null);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void grantsRefusesRenewsAndReleases() throws Exception {
    LeaseKey a = new LeaseKey("x", "a:1");
    LeaseKey b = new LeaseKey("x", "b:2");
    Granted first = assertInstanceOf(Granted.class, acquire(a, Waiting.NO));
    Granted again = assertInstanceOf(Granted.class, acquire(a, Waiting.NO));
    assertEquals(first.fence(), again.fence());
    Held held = assertInstanceOf(Held.class, acquire(b, Waiting.NO));
    assertTrue(held.retryAfter().toMillis() > 9000);
    assertEquals(RenewResult.RENEWED, renew(a));
    assertEquals(RenewResult.NOT_OWNER, renew(b));
    assertEquals("a:1", get(store.inspect("x")).orElseThrow().token());
    assertEquals(first.fence(), get(store.inspect("x")).orElseThrow().fence());
    CountDownLatch woken = new CountDownLatch(1);
    Watch watch = get(store.watch(b, woken::countDown));
    assertInstanceOf(Held.class, acquire(b, Waiting.YES));
    assertEquals(ReleaseResult.NOT_OWNER, get(store.release(b)));
    assertEquals(ReleaseResult.RELEASED_AND_WOKE, get(store.release(a)));
    assertTrue(woken.await(2, TimeUnit.SECONDS));
    watch.close();
    Granted second = assertInstanceOf(Granted.class, acquire(b, Waiting.YES));
    assertTrue(second.fence().getAsLong() > first.fence().getAsLong());
    assertEquals(ReleaseResult.RELEASED, get(store.release(b)));
    assertTrue(get(store.inspect("x")).isEmpty());
  }

  private RenewResult renew(LeaseKey key) throws Exception {
    return get(store.renew(List.of(new RenewRequest(key, Duration.ofSeconds(10)))).get(0));
  }

  private AcquireResult acquire(LeaseKey key, Waiting waiting) throws Exception {
    return get(store.acquire(new AcquireRequest(key, Duration.ofSeconds(10), waiting)));
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(5, TimeUnit.SECONDS);
  }
}
