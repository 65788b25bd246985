package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
import dev.leasehold.redis.set.RedisSetLocks;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Mono;

@DisplayName("An application with the starter on its path")
class LockedBeansTest {
  @AutoClose private static final RedisServer server = RedisServers.start();
  private static ConfigurableApplicationContext context;
  private static Orders orders;

  /** Another application, without Spring. */
  private static RedisClient client;

  private static LockManager others;

  /** A bean as users write them. */
  static class Orders {
    private final AtomicInteger jobs = new AtomicInteger();
    private final DistributedLock named;

    Orders(@Qualifier("stock") DistributedLock named) {
      this.named = named;
    }

    @Locked(name = "${app.prefix}:{0}", waitFor = "${app.wait}")
    public long ship(String id, @CurrentLease Lease lease) {
      assertTrue(lease.isValid());
      assertEquals("shop:" + id, lease.lockName());
      return lease.fencingToken();
    }

    @Locked(name = "job", waitFor = "0s", onTimeout = OnTimeout.SKIP)
    public void job() {
      jobs.incrementAndGet();
    }

    @Locked(name = "stage", waitFor = "0s")
    public CompletionStage<String> stage(CompletableFuture<String> work) {
      return work;
    }

    @Locked(name = "mono")
    public Mono<Boolean> mono(@CurrentLease Lease lease) {
      return Mono.fromSupplier(() -> lease.isValid() && others.lock("mono").tryAcquire().isEmpty());
    }

    @Locked(name = "short", options = "brief")
    public long brief(@CurrentLease Lease lease) {
      return lease.remaining().toMillis();
    }

    @Locked(name = "long-task")
    public boolean until(CountDownLatch began, CountDownLatch end, @CurrentLease Lease lease)
        throws InterruptedException {
      began.countDown();
      assertTrue(end.await(20, TimeUnit.SECONDS));
      return lease.isValid();
    }

    int jobs() {
      return jobs.get();
    }

    String namedLock() {
      return named.name();
    }
  }

  @BeforeAll
  static void start() {
    context = start("app.prefix=shop");
    orders = context.getBean(Orders.class);
    client = RedisClient.create();
    RedisURI another = RedisURI.create(server.uri() + "?clientName=another");
    others = RedisSetLocks.over(client, another).manager();
  }

  private static ConfigurableApplicationContext start(String... more) {
    List<String> properties =
        List.of(
            "app.wait=2s",
            "leasehold.lease=20s",
            "leasehold.commandTimeout=20s",
            "leasehold.locks.stock.name=shop:stock",
            "leasehold.locks.brief.lease=3s",
            "leasehold.locks.brief.renewal=fixed",
            "spring.task.execution.shutdown.await-termination=true",
            "spring.task.execution.shutdown.await-termination-period=20s");
    return Apps.start(
        server, Stream.concat(properties.stream(), List.of(more).stream()).toList(), Orders.class);
  }

  @AfterAll
  static void stop() {
    context.close();
    others.close();
    client.shutdown();
  }

  @Test
  @DisplayName("A Mono acquires the lock for each subscriber, until it ends")
  void mono() {
    Mono<Boolean> locked = orders.mono(null);
    for (int i = 0; i < 2; i++) {
      assertEquals(true, locked.block(Duration.ofSeconds(20)));
      others.lock("mono").tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("Locks are on the application's own client: no connection has another's name")
  void noSecondClient() {
    orders.ship("connected", null);
    Set<String> names = new TreeSet<>(Apps.connections(server));
    names.remove("another"); // the other application's
    assertEquals(Set.of("the-application"), names);
  }

  @Test
  @DisplayName("A method runs under its lock, with placeholders, argument and lease")
  void held() throws Exception {
    assertTrue(orders.ship("1", null) > 0);
    try (Lease lease = others.lock("shop:2").acquire()) {
      assertTrue(lease.isValid());
      LockTimeoutException late =
          assertThrows(LockTimeoutException.class, () -> orders.ship("2", null));
      assertTrue(late.getMessage().contains("was not obtained within 2s"), late.getMessage());
    }
    orders.ship("2", null);
  }

  @Test
  @DisplayName("A job whose lock is taken is skipped")
  void skipped() throws Exception {
    try (Lease lease = others.lock("job").acquire()) {
      assertTrue(lease.isValid());
      orders.job();
      assertEquals(0, orders.jobs());
    }
    orders.job();
    assertEquals(1, orders.jobs());
  }

  @Test
  @DisplayName("A stage holds the lock until it completes")
  void stage() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = orders.stage(work).toCompletableFuture();
    assertThrows(
        Exception.class,
        () ->
            orders
                .stage(new CompletableFuture<>())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS));
    assertFalse(result.isDone());
    work.complete("done");
    assertEquals("done", result.get(20, TimeUnit.SECONDS));
    assertTrue(others.lock("stage").tryAcquire().isPresent());
  }

  @Test
  @DisplayName("Configured locks are beans, and their options can be a method's")
  void configured() {
    assertEquals("shop:stock", orders.namedLock());
    assertTrue(orders.brief(null) <= 3000);
  }

  @Test
  @DisplayName("The health indicator asks Redis, in either generation's type")
  void health() throws Exception {
    Object health = Apps.health(context);
    Object status = health.getClass().getMethod("getStatus").invoke(health);
    assertEquals("UP", status.toString());
    assertTrue(health.toString().contains("FENCING"), health.toString());
  }

  @Test
  @DisplayName("At shutdown tasks end first with valid leases, then locks close, then the client")
  void shutdown() throws Exception {
    ConfigurableApplicationContext other = start("app.prefix=shop");
    LockManager locks = other.getBean(LockManager.class);
    // So configured, Spring waits for its tasks last of all, when the client has ended.
    ThreadPoolTaskExecutor executor =
        other.getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class);
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Boolean> valid =
        executor.submitCompletable(() -> other.getBean(Orders.class).until(began, end, null));
    assertTrue(began.await(20, TimeUnit.SECONDS));
    Thread closing = new Thread(other::close);
    closing.start();
    // It has come to our phase, and waits for the call: others wait for it no more.
    CompletableFuture<Void> waits =
        CompletableFuture.runAsync(() -> awaitThread("leasehold-shutdown"));
    waits.get(20, TimeUnit.SECONDS);
    assertTrue(locks.lock("still-open").tryAcquire().isPresent());
    end.countDown();
    assertTrue(valid.get(20, TimeUnit.SECONDS), "the lease was lost before the task had ended");
    closing.join(20_000);
    assertFalse(closing.isAlive());
    assertThrows(LockManagerClosedException.class, () -> locks.lock("late"));
    assertNotNull(others.lock("long-task").tryAcquire().orElse(null));
  }

  private static void awaitThread(String name) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (Thread.getAllStackTraces().entrySet().stream()
        .noneMatch(
            each ->
                each.getKey().getName().equals(name)
                    && Arrays.stream(each.getValue())
                        .anyMatch(frame -> frame.getMethodName().equals("awaitNone")))) {
      assertTrue(System.nanoTime() < end, () -> name + " does not wait");
      Thread.onSpinWait();
    }
  }
}
