package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The least users that the page prints can do all that locks need")
class AclTest {
  private static final Duration WAIT = Duration.ofMillis(300);

  /** What clients try and do without; Redisson tries a script on a key test1. */
  private static final String DONE_WITHOUT =
      "(?is).*object, (client(\\|setinfo)?|command(\\|info)?|test1),.*";

  /** Shorter than what it is made by {@code extend}. */
  private static final LockOptions TWENTY =
      LockOptions.builder().automaticLease(Duration.ofSeconds(20)).build();

  private static final LockOptions ONCE =
      LockOptions.builder().atLeast(Duration.ofSeconds(30)).build();

  private final List<RedisServer> servers = new ArrayList<>();

  /** Where each kind of server is, if it is here. */
  private static Optional<String> program(String kind) {
    return switch (kind) {
      case "kit" -> Optional.of(RedisServers.kind());
      case "valkey" -> named("leasehold.valkey", "valkey-server");
      case "redis 8" -> named("leasehold.redis8", "redis-server-8");
      default -> named("leasehold.redis7", "redis-server");
    };
  }

  private static Optional<String> named(String property, String program) {
    return Optional.ofNullable(System.getProperty(property))
        .or(
            () ->
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, program))
                    .filter(Files::isExecutable)
                    .map(Path::toString)
                    .findFirst());
  }

  /** Each line with the settings above it, on each kind of server. */
  static Stream<Arguments> users() throws IOException {
    List<String> page = Files.readAllLines(Repository.root().resolve("docs/topologies.md"));
    List<Arguments> all = new ArrayList<>();
    for (int i = 1; i < page.size(); i++) {
      if (page.get(i).startsWith("ACL SETUSER ")) {
        for (String kind : List.of("kit", "redis 7", "redis 8", "valkey")) {
          all.add(Arguments.of(kind, page.get(i - 1).substring(2), page.get(i)));
        }
      }
    }
    assertTrue(all.size() >= 40, "lines that begin with ACL SETUSER");
    return all.stream();
  }

  private LockManager open(String what, String label) {
    Map<String, String> settings = new HashMap<>();
    String[] parts = what.split(", ");
    settings.put("lock.backend", parts[0]);
    for (String part : List.of(parts).subList(1, parts.length)) {
      settings.put(part.split(" = ")[0], part.split(" = ")[1]);
    }
    settings.put("lock.redis.username", "locks");
    settings.put("lock.redis.password", "secret");
    settings.put("lock.label", label);
    settings.put("lock.redis.connect-timeout", "20s"); // the first connection of a busy JVM
    settings.put(
        parts[0].equals("redlock") ? "lock.redlock.nodes" : "lock.redis.uri",
        servers.stream().map(RedisServer::uri).collect(Collectors.joining(",")));
    return LockManager.open(LockSettings.of(settings));
  }

  private void start(String program, String what, String user) {
    for (int i = 0; i < (what.startsWith("redlock") ? 3 : 1); i++) {
      RedisServer server = RedisServers.start(program, ServerOptions.defaults());
      servers.add(server);
      server.call(user.split(" "));
      // Votes at once; the entry is written again by the first client.
      server.call(
          "HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0", "replid", "");
      server.call("ACL", "LOG", "RESET");
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  /** A new client on a busy machine may have no answer within the wait. */
  private static void awaitRefused(Callable<Optional<Lease>> attempt) {
    Await.until(
        "it is refused",
        () -> {
          try {
            return attempt.call().isEmpty();
          } catch (LockStoreException notInTime) {
            return false;
          }
        });
  }

  private static void sides(DistributedReadWriteLock one, DistributedReadWriteLock two)
      throws InterruptedException {
    Lease lease = one.write().acquire();
    CompletableFuture<Lease> next = two.read().acquireAsync().toCompletableFuture();
    awaitRefused(() -> two.read().tryAcquire(WAIT));
    assertTrue(lease.extend(Duration.ofSeconds(31)));
    assertTrue(two.write().inspect().isPresent());
    lease.release();
    Lease read = Await.value(next);
    assertTrue(read.extend(Duration.ofSeconds(29)));
    assertTrue(one.read().inspect().isPresent());
    read.release();
  }

  private static void permits(DistributedSemaphore one, DistributedSemaphore two)
      throws InterruptedException {
    Lease lease = one.acquire(2);
    CompletableFuture<Lease> next = two.acquireAsync(2).toCompletableFuture();
    awaitRefused(() -> two.tryAcquire(2, WAIT));
    assertTrue(lease.extend(Duration.ofSeconds(31)));
    assertEquals(1, two.available());
    lease.release();
    Await.value(next).release();
  }

  private static void latches(DistributedLatch one, DistributedLatch two) {
    assertTrue(one.open(1, Duration.ofMinutes(1)));
    CompletableFuture<Void> passed = two.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> cancelled = one.awaitAsync().toCompletableFuture();
    assertEquals(1, two.count().orElseThrow());
    cancelled.cancel(false);
    assertTrue(one.countDown());
    Await.value(passed);
  }

  private static void together(DistributedLock one, DistributedLock two)
      throws InterruptedException {
    Lease both = one.acquire();
    CompletableFuture<Lease> next = two.acquireAsync().toCompletableFuture();
    awaitRefused(() -> two.tryAcquire(WAIT));
    assertTrue(both.extend(Duration.ofSeconds(31)));
    assertTrue(both.fencingToken() > 0); // one step, or there is none
    both.release();
    Await.value(next).release();
  }

  private static void stays(DistributedLock once, DistributedLock other)
      throws InterruptedException {
    once.acquire().release();
    awaitRefused(() -> other.tryAcquire());
  }

  @ParameterizedTest(name = "{1} on {0}")
  @MethodSource("users")
  @DisplayName("on 6.2, 7.0, 8.4 and later, and Valkey")
  void leastUser(String kind, String what, String user) throws Exception {
    Optional<String> program = program(kind);
    assumeTrue(program.isPresent(), () -> "not run: there is no " + kind + " here");
    start(program.orElseThrow(), what, user);
    try (LockManager one = open(what, "one");
        LockManager two = open(what, "two")) {
      DistributedLock lock = one.lock("orders");
      Lease lease = lock.acquire();
      CompletableFuture<Lease> next = two.lock("orders").acquireAsync().toCompletableFuture();
      awaitRefused(() -> two.lock("orders").tryAcquire(WAIT));
      assertTrue(lease.extend(Duration.ofSeconds(31)));
      assertTrue(lock.inspect().isPresent());
      lease.release();
      Await.value(next).release();
      if (one.guarantees().contains(Guarantee.SHARED)) {
        sides(one.readWriteLock("orders-rw", TWENTY), two.readWriteLock("orders-rw", TWENTY));
      }
      if (one.guarantees().contains(Guarantee.PERMITS)) {
        permits(one.semaphore("orders-permits", 3), two.semaphore("orders-permits", 3));
        if (!one.guarantees().contains(Guarantee.SLOTS)) { // their number is nothing to change
          one.semaphore("orders-permits", 3).resize(4);
        }
      }
      if (one.guarantees().contains(Guarantee.LATCH)) {
        latches(one.latch("orders-latch"), two.latch("orders-latch"));
      }
      if (one.guarantees().contains(Guarantee.TOGETHER)) {
        together(one.all("orders", "orders-2"), two.all("orders-2", "orders"));
      }
      stays(one.lock("orders", ONCE), two.lock("orders"));
    }
    for (RedisServer server : servers) {
      List<?> log = (List<?>) server.call("ACL", "LOG").orElseThrow();
      List<String> refused =
          log.stream().map(String::valueOf).filter(entry -> !entry.matches(DONE_WITHOUT)).toList();
      assertEquals(List.of(), refused);
    }
  }
}
