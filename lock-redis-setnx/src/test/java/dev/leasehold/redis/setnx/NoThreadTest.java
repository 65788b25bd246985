package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.PooledObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

@DisplayName("While no thread can be started")
@Timeout(60)
class NoThreadTest {
  private static final JedisConnections.Limits LIMITS =
      new JedisConnections.Limits(4, Duration.ofSeconds(10));
  private static RedisServer server;

  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger dialed = new AtomicInteger();

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private void mayFail() {
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  private final class Redis extends JedisRedis {
    private final JedisConnections node;

    Redis(ThreadFactory factory) {
      super(LIMITS, new Background(factory));
      this.node =
          new JedisConnections(
              "",
              new ConnectionFactory(
                  new HostAndPort(server.host(), server.port()),
                  DefaultJedisClientConfig.builder().build()) {
                @Override
                public PooledObject<Connection> makeObject() throws Exception {
                  dialed.incrementAndGet();
                  return super.makeObject();
                }
              },
              background,
              limits);
      start(new Ops.Context());
    }

    PooledObject<Connection> take() {
      return node.take(
          new Conversation.Deadline(
              background::nanos, background.nanos() + LIMITS.patience().toNanos()));
    }

    @Override
    JedisConnections node() {
      return node;
    }

    @Override
    void closeConnections() {
      node.close();
    }
  }

  private Thread thread(Runnable work) {
    mayFail();
    return new Thread(work);
  }

  @Test
  @DisplayName("no connection is opened after the close, which would block the timers")
  void closed() throws Exception {
    CountDownLatch later = new CountDownLatch(1);
    CompletableFuture<?> taking;
    try (Redis redis = new Redis(this::thread)) {
      failures.set(Integer.MAX_VALUE);
      taking = CompletableFuture.supplyAsync(redis::take);
      Await.until("it is tried", () -> failures.get() < Integer.MAX_VALUE);
    }
    assertThrows(JedisException.class, () -> Await.value(taking));
    new Ops.Context().scheduler().schedule(Duration.ofMillis(200), later::countDown);
    later.await(); // runs after what is to be tried again, on the same thread
    assertEquals(0, dialed.get());
  }

  @Test
  @DisplayName("a connection is waited for, and opened as soon as one can")
  void connections() {
    try (Redis redis = new Redis(this::thread)) {
      failures.set(3);
      PooledObject<Connection> first = redis.take();
      assertEquals(0, failures.get());
      PooledObject<Connection> second = redis.take();
      assertNotSame(first, second);
      redis.node().giveBack(first);
      redis.node().giveBack(second);
    }
  }

  @Test
  @DisplayName("a watch fails, and the next one listens")
  void listener() {
    ThreadFactory factory =
        work ->
            new Thread(work) {
              @Override
              public synchronized void start() {
                mayFail();
                super.start();
              }
            };
    try (Redis redis = new Redis(factory);
        WakeListener listener = new WakeListener(redis, "store", KeySpace.WHOLE)) {
      failures.set(1);
      LockStoreException failure =
          assertThrows(LockStoreException.class, () -> Await.value(listener.watch("a", () -> {})));
      assertTrue(failure.getMessage().contains("native thread"), failure::getMessage);
      AtomicInteger woken = new AtomicInteger();
      Await.value(listener.watch("a", woken::incrementAndGet));
      int before = woken.get();
      assertEquals(1L, server.call("PUBLISH", "lh:wake:store", "a").orElseThrow());
      Await.until("it is woken", () -> woken.get() > before);
    }
  }
}
