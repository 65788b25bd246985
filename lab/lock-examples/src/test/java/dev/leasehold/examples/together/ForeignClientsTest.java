package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain mode shares locks with real clients in another language: each excludes the other. */
@DisplayName("Plain mode beside npm's redlock and redis-semaphore, on one server and on a quorum")
class ForeignClientsTest {
  private static final String NAME = "mutex:orders"; // as redis-semaphore calls it
  private static final Duration PATIENT = Duration.ofSeconds(10);
  private static final int ROUNDS = 30;
  private static ServerGroup nodes;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    ForeignClient.install();
    nodes = NewNodes.three();
  }

  @AfterAll
  static void stop() {
    if (nodes != null) {
      nodes.close();
    }
  }

  @BeforeEach
  void empty() {
    nodes.call("FLUSHALL");
  }

  static Stream<Arguments> pairs() {
    return Stream.of("redis-set", "redlock")
        .flatMap(
            backend ->
                Stream.of("redlock", "redis-semaphore")
                    .map(library -> Arguments.of(library, backend)));
  }

  private static List<RedisServer> servers(String backend) {
    return backend.equals("redlock") ? nodes.servers() : nodes.servers().subList(0, 1);
  }

  private static ForeignClient foreign(String library, String backend) {
    return ForeignClient.start(library, servers(backend));
  }

  private static LockManager ours(String backend) {
    Map<String, String> settings = new HashMap<>();
    settings.put("lock.backend", backend);
    settings.put("lock.redis-set.mode", "plain");
    if (backend.equals("redlock")) {
      settings.put("lock.redlock.nodes", nodes.uri());
    } else {
      settings.put("lock.redis.uri", nodes.servers().get(0).uri());
    }
    return LockManager.open(LockSettings.of(settings));
  }

  private static Optional<Object> value(RedisServer server) {
    return server.call("GET", NAME);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("pairs")
  @DisplayName("A lock they hold is held for us, until they release it")
  void theyHold(String library, String backend) {
    try (ForeignClient foreign = foreign(library, backend);
        LockManager locks = ours(backend)) {
      assertEquals("held", foreign.tell("acquire " + NAME + " 5000"));
      assertEquals(Optional.empty(), locks.lock(NAME).tryAcquire());
      assertTrue(locks.lock(NAME).inspect().isPresent());
      assertEquals("extended", foreign.tell("extend 5000"));
      assertEquals("released", foreign.tell("release"));
      locks.lock(NAME).tryAcquire().orElseThrow().release();
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("pairs")
  @DisplayName("A lock we hold is held for them, until we release it")
  void weHold(String library, String backend) {
    try (ForeignClient foreign = foreign(library, backend);
        LockManager locks = ours(backend)) {
      Lease lease = locks.lock(NAME).tryAcquire().orElseThrow();
      Await.until(
          "every node has it",
          () -> servers(backend).stream().allMatch(server -> value(server).isPresent()));
      assertEquals("refused", foreign.tell("acquire " + NAME + " 5000"));
      assertTrue(servers(backend).stream().allMatch(server -> value(server).isPresent()));
      lease.release();
      assertEquals("held", foreign.tell("acquire " + NAME + " 5000"));
      assertEquals("released", foreign.tell("release"));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("pairs")
  @DisplayName("Each takes over what the other did not release in time")
  void takeOver(String library, String backend) throws InterruptedException {
    try (ForeignClient foreign = foreign(library, backend);
        LockManager locks = ours(backend)) {
      assertEquals("held", foreign.tell("acquire " + NAME + " 400"));
      locks.lock(NAME).tryAcquire(PATIENT).orElseThrow().release();
      Lease brief = locks.lock(NAME, LockOptions.fixed(Duration.ofMillis(400))).acquire();
      Await.until(
          "they have it", PATIENT, () -> foreign.tell("acquire " + NAME + " 5000").equals("held"));
      assertTrue(!brief.isValid());
      assertEquals("released", foreign.tell("release"));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("pairs")
  @DisplayName("Both count, and no update is lost")
  void bothCount(String library, String backend) throws InterruptedException {
    RedisServer server = nodes.servers().get(0);
    try (ForeignClient foreign = foreign(library, backend);
        LockManager locks = ours(backend)) {
      foreign.begin("count " + NAME + " " + ROUNDS + " counter");
      Await.until("it is at work", () -> server.call("GET", "counter").isPresent());
      for (int i = 0; i < ROUNDS; i++) {
        try (Lease lease = locks.lock(NAME).acquire()) {
          lease.ensureValid();
          countOne(server);
        }
      }
      assertEquals("counted", foreign.answer());
      assertEquals(Optional.of(Integer.toString(2 * ROUNDS)), server.call("GET", "counter"));
    }
  }

  /** The twin of the test above: without our lock, theirs alone does not exclude us. */
  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource("redlock, redis-set")
  @DisplayName("Without our lock updates are lost")
  void withoutOurLock(String library, String backend) {
    RedisServer server = nodes.servers().get(0);
    try (ForeignClient foreign = foreign(library, backend)) {
      foreign.begin("count " + NAME + " 300 counter");
      Await.until("it is at work", () -> server.call("GET", "counter").isPresent());
      for (int i = 0; i < 2000; i++) {
        countOne(server);
      }
      assertEquals("counted", foreign.answer());
      assertNotEquals(Optional.of("2300"), server.call("GET", "counter"));
    }
  }

  /** In two steps, which only the lock makes atomic. */
  private static void countOne(RedisServer server) {
    int before = Integer.parseInt(server.call("GET", "counter").orElse("0").toString());
    server.call("SET", "counter", Integer.toString(before + 1));
  }
}
