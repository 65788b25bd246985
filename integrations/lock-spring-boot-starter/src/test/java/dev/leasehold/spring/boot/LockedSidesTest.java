package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.redis.set.RedisSetLocks;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TestThreads;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@DisplayName("Beans whose methods read beside one another and write alone, and locks of each kind")
class LockedSidesTest {
  private static final long MOST_SECONDS = 20;

  @AutoClose private static final RedisServer server = RedisServers.start();
  private static ConfigurableApplicationContext context;
  private static Catalogue catalogue;

  /** Another application, without Spring. */
  private static RedisClient client;

  private static LockManager others;

  /** A bean as users write them. */
  static class Catalogue {
    @Locked(name = "catalogue:{0}", mode = LockMode.READ, waitFor = "0s")
    public String look(String part, Supplier<String> work) {
      return work.get();
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.WRITE, waitFor = "0s")
    public String change(String part, Supplier<String> work) {
      return work.get();
    }

    /** The twin of {@link #look}, which takes the lock alone. */
    @Locked(name = "catalogue:{0}", waitFor = "0s")
    public String lookAlone(String part, Supplier<String> work) {
      return work.get();
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.READ)
    public <T> Mono<T> looking(String part, Mono<T> work) {
      return work;
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.WRITE)
    public <T> CompletionStage<T> changeLater(String part, CompletionStage<T> until) {
      return until;
    }
  }

  /** One that is made when it is first requested. */
  @Lazy
  static class Late {
    @Locked(name = "late", mode = LockMode.READ)
    public void look() {}
  }

  /** Beans of each kind. */
  record Shop(
      @Qualifier("stock") DistributedReadWriteLock stock,
      @Qualifier("exports") DistributedSemaphore exports,
      @Qualifier("loaded") DistributedLatch loaded) {}

  @BeforeAll
  static void start() {
    context =
        Apps.start(
            server,
            List.of(
                "leasehold.command-timeout=20s",
                "leasehold.locks.stock.kind=read-write",
                "leasehold.locks.stock.name=shop:stock",
                "leasehold.locks.exports.kind=semaphore",
                "leasehold.locks.exports.permits=2",
                "leasehold.locks.loaded.kind=latch"),
            Catalogue.class,
            Shop.class);
    catalogue = context.getBean(Catalogue.class);
    client = RedisClient.create();
    others =
        RedisSetLocks.over(client, RedisURI.create(server.uri()))
            .settings(LockSettings.of(Map.of("lock.command-timeout", "20s")))
            .manager();
  }

  @AfterAll
  static void stop() {
    context.close();
    others.close();
    client.shutdown();
  }

  private static boolean free(DistributedLock theirs) {
    Optional<Lease> lease = theirs.tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }

  /** What others get of a part. */
  private static String seen(String part) {
    DistributedReadWriteLock theirs = others.readWriteLock("catalogue:" + part);
    boolean readable = free(theirs.read());
    return free(theirs.write()) ? "all" : readable ? "read" : "none";
  }

  private interface Locking {
    String under(String part, Supplier<String> work);
  }

  /** What becomes of a call, in a thread of its own, while another is in a method. */
  private static String meanwhile(Locking first, Locking second) {
    Callable<String> comes =
        () -> {
          try {
            return second.under("a", () -> "beside");
          } catch (LockTimeoutException late) {
            return "refused";
          }
        };
    return first.under("a", () -> Await.value(TestThreads.onThread(comes)));
  }

  @Test
  @DisplayName("Readers run concurrently, a writer alone; with the plain lock all run alone")
  void sides() {
    assertEquals("beside", meanwhile(catalogue::look, catalogue::look));
    assertEquals("refused", meanwhile(catalogue::look, catalogue::change));
    assertEquals("refused", meanwhile(catalogue::change, catalogue::look));
    assertEquals("refused", meanwhile(catalogue::change, catalogue::change));
    assertEquals("refused", meanwhile(catalogue::lookAlone, catalogue::lookAlone), "the twin");
    assertEquals("read", catalogue.look("a", () -> seen("a")));
    assertEquals("none", catalogue.change("a", () -> seen("a")));
    assertEquals("all", seen("a"));
  }

  @Test
  @DisplayName("A Mono reads until it ends, and a stage waits to write")
  void asynchronously() throws Exception {
    Sinks.One<String> until = Sinks.one();
    CompletableFuture<String> first = catalogue.looking("b", until.asMono()).toFuture();
    assertEquals("beside", Await.value(catalogue.looking("b", Mono.just("beside")).toFuture()));
    assertEquals("read", seen("b"));
    CompletableFuture<String> alone = CompletableFuture.completedFuture("alone");
    CompletionStage<String> writer = catalogue.changeLater("b", alone);
    assertFalse(writer.toCompletableFuture().isDone(), "it waits for the reader");
    until.tryEmitValue("read").orThrow();
    assertEquals("read", Await.value(first));
    assertEquals("alone", Await.value(writer));
    assertEquals("all", seen("b"));
    CompletableFuture<String> written = new CompletableFuture<>();
    CompletionStage<String> second = catalogue.changeLater("b", written);
    Await.until("it writes", () -> seen("b").equals("none"));
    written.complete("written");
    assertEquals("written", Await.value(second));
    assertEquals("all", seen("b"));
  }

  @Test
  @DisplayName("Configured locks of each kind are beans, and another application's, too")
  void kinds() throws Exception {
    Shop shop = context.getBean(Shop.class);
    try (Lease writing = shop.stock.write().acquire();
        Lease both = shop.exports.acquire(2)) {
      assertTrue(writing.isValid() && both.isValid());
      assertFalse(free(others.readWriteLock("shop:stock").read()));
      assertTrue(others.semaphore("exports", 2).tryAcquire().isEmpty());
    }
    others.latch("loaded").open(1, Duration.ofSeconds(MOST_SECONDS));
    assertFalse(others.latch("loaded").await(Duration.ZERO));
    assertTrue(shop.loaded.countDown());
    assertTrue(others.latch("loaded").await(Duration.ofSeconds(MOST_SECONDS)));
  }

  @Test
  @DisplayName("A backend without read/write locks is refused when the application starts")
  void lacking() {
    List<String> plain = List.of("leasehold.redis-set.mode=plain");
    String refused =
        assertThrows(
                LockConfigurationException.class,
                () -> Apps.start(server, plain, Catalogue.class).close())
            .getMessage();
    assertEquals(4, refused.lines().count(), refused);
    assertTrue(refused.contains("Catalogue.look(String, Supplier): mode = READ"), refused);
    assertTrue(refused.contains("does not promise SHARED"), refused);
    try (ConfigurableApplicationContext later = Apps.start(server, plain, Late.class)) {
      Exception late = assertThrows(Exception.class, () -> later.getBean(Late.class));
      assertTrue(String.valueOf(late).contains("Late.look(): mode = READ"), late::toString);
    }
  }

  /** Takes the plain lock with a read/write lock's options, and a side with a semaphore's. */
  static class OtherKinds {
    @Locked(name = "stock", options = "stock")
    public void noSide() {}

    @Locked(name = "exports", mode = LockMode.READ, options = "exports")
    public void semaphore() {}
  }

  @Test
  @DisplayName("Options of another kind than the method takes are refused at the start")
  void otherKinds() {
    List<String> kinds =
        List.of(
            "leasehold.locks.stock.kind=read-write",
            "leasehold.locks.exports.kind=semaphore",
            "leasehold.locks.exports.permits=2");
    Exception refused =
        assertThrows(Exception.class, () -> Apps.start(server, kinds, OtherKinds.class).close());
    String told = String.valueOf(refused);
    assertTrue(
        told.contains(
            "OtherKinds.noSide(): mode = PLAIN with options = \"stock\", whose kind is read-write"
                + " (lock.locks.stock.kind): the plain lock of a name keeps no reader"),
        told);
    assertTrue(
        told.contains(
            "OtherKinds.semaphore(): mode = READ with options = \"exports\", whose kind is"
                + " semaphore (lock.locks.exports.kind): a method takes a lock, no semaphore: "),
        told);
  }

  @Test
  @DisplayName("A configured lock of a kind that the backend lacks is refused at the start, unused")
  void kindsLacking() {
    List<String> plain =
        List.of(
            "leasehold.redis-set.mode=plain",
            "leasehold.locks.stock.kind=read-write",
            "leasehold.locks.loaded.kind=latch",
            "leasehold.locks.right.lease=10s");
    String refused =
        assertThrows(LockConfigurationException.class, () -> Apps.start(server, plain).close())
            .getMessage();
    assertEquals(2, refused.lines().count(), refused);
    assertTrue(refused.contains("leasehold.locks.stock (\"leasehold.locks.stock.kind\""), refused);
    assertTrue(refused.contains("leasehold.locks.loaded ("), refused);
    assertTrue(refused.contains("does not promise SHARED"), refused);
  }
}
