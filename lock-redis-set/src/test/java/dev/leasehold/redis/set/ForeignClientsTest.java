package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain mode shares locks with real clients of another language: each keeps the other out. */
@DisplayName("Plain mode beside npm's redlock and redis-semaphore")
class ForeignClientsTest {
  private static final String NAME = "mutex:orders"; // as redis-semaphore calls it
  private static final LeaseKey OURS = new LeaseKey(NAME, "ours:1");
  private static final int ROUNDS = 50;
  private static TestServer server;
  private static Map<String, String> settings;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    ForeignClient.install();
    server = ServerKind.EMBEDDED.start();
    settings = Map.of("lock.redis.uri", server.uri(), "lock.redis-set.mode", "plain");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void empty() {
    server.admin().flushall();
  }

  @ParameterizedTest
  @ValueSource(strings = {"redlock", "redis-semaphore"})
  void whatTheyHoldIsHeld(String library) {
    try (ForeignClient foreign = ForeignClient.start(library, server.port());
        StoreOps store = StoreOps.open(settings)) {
      assertEquals("held", foreign.tell("acquire " + NAME + " 5000"));
      Held held = assertInstanceOf(Held.class, store.acquire(OURS));
      assertTrue(held.retryAfter().toMillis() > 3_000 && held.retryAfter().toMillis() <= 5_000);
      assertNotEquals("ours:1", store.inspect(NAME).orElseThrow().token());
      assertEquals(ReleaseResult.NOT_OWNER, store.release(OURS));
      assertEquals("extended", foreign.tell("extend 5000"));
      assertEquals("released", foreign.tell("release"));
      assertInstanceOf(Granted.class, store.acquire(OURS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redlock", "redis-semaphore"})
  void whatWeHoldIsHeldForThem(String library) {
    try (ForeignClient foreign = ForeignClient.start(library, server.port());
        StoreOps store = StoreOps.open(settings)) {
      assertInstanceOf(Granted.class, store.acquire(OURS));
      assertEquals("refused", foreign.tell("acquire " + NAME + " 5000"));
      assertEquals("ours:1", server.admin().get(NAME));
      assertEquals(ReleaseResult.RELEASED, store.release(OURS));
      assertEquals("held", foreign.tell("acquire " + NAME + " 5000"));
      assertEquals("released", foreign.tell("release"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redlock", "redis-semaphore"})
  void bothContendAndNoUpdateIsLost(String library) throws InterruptedException {
    try (ForeignClient foreign = ForeignClient.start(library, server.port());
        LockManager locks = LockManager.open(LockSettings.of(settings))) {
      foreign.begin("count " + NAME + " " + ROUNDS + " counter");
      Await.until(() -> server.admin().exists("counter") == 1); // it is at work
      for (int i = 0; i < ROUNDS; i++) {
        try (Lease lease = locks.lock(NAME).acquire()) {
          lease.ensureValid();
          String before = server.admin().get("counter");
          int n = before == null ? 0 : Integer.parseInt(before);
          server.admin().set("counter", Integer.toString(n + 1));
        }
      }
      assertEquals("counted", foreign.answer());
      assertEquals(Integer.toString(2 * ROUNDS), server.admin().get("counter"));
    }
  }

  /** The twin of the test above: without our lock, their lock alone does not keep us apart. */
  @ParameterizedTest
  @ValueSource(strings = {"redlock"})
  void withoutOurLockUpdatesAreLost(String library) {
    try (ForeignClient foreign = ForeignClient.start(library, server.port())) {
      foreign.begin("count " + NAME + " 300 counter");
      Await.until(() -> server.admin().exists("counter") == 1);
      for (int i = 0; i < 3000; i++) {
        String before = server.admin().get("counter");
        int n = before == null ? 0 : Integer.parseInt(before);
        server.admin().set("counter", Integer.toString(n + 1));
      }
      assertEquals("counted", foreign.answer());
      assertNotEquals("3300", server.admin().get("counter"));
    }
  }
}
