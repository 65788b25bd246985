package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An acquisition that arrives after its connection broke, and after the release")
class StrayPacketTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final LockOptions FIXED = LockOptions.fixed(LONG);
  private static final CommandMatch SCRIPT = CommandMatch.named("EVALSHA");

  private TestServer server;
  private RespProxy proxy;

  @BeforeEach
  void start() {
    server = ServerKind.EMBEDDED.start();
    proxy = RespProxy.inFrontOf("127.0.0.1", server.port());
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.close();
  }

  private LockManager open(String... settings) {
    Map<String, String> all =
        new TreeMap<>(Map.of("lock.backend", "redis-set", "lock.redis.uri", proxy.uri()));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return LockManager.open(LockSettings.of(all));
  }

  /** Takes it and gives it back while its first question is held; then that arrives. */
  private void outlives(Callable<Optional<Lease>> taking) throws Exception {
    taking.call().orElseThrow().release(); // the script is there
    ActiveFault stray = proxy.next(1, SCRIPT, CommandFault.strayRequest());
    Optional<Lease> lease = taking.call();
    assertEquals(1, stray.hits());
    lease.orElseThrow().release();
    arrives(stray);
  }

  /** What is late gets to the server, which has run it when its connection has ended. */
  private void arrives(ActiveFault stray) {
    int connections = proxy.connections();
    stray.close();
    Await.until("its connection has ended", () -> proxy.connections() == connections - 1);
  }

  private void isFree(String... keys) {
    for (String key : keys) {
      assertEquals(0, server.admin().exists(key), key);
    }
  }

  @Test
  @DisplayName("takes no lock")
  void lock() throws Exception {
    try (LockManager locks = open()) {
      DistributedLock lock = locks.lock("x", FIXED);
      outlives(() -> lock.tryAcquire(WAIT));
      isFree("lh:{x}");
      assertEquals(1, server.admin().exists("lh:{x}:gone"));
      assertTrue(server.admin().get("lh:{x}:fence").contains("+0"));
    }
  }

  @Test
  @DisplayName("takes no fair lock")
  void fair() throws Exception {
    try (LockManager locks = open("lock.redis.fair", "true")) {
      outlives(() -> locks.lock("x", FIXED).tryAcquire(WAIT));
      isFree("lh:{x}");
    }
  }

  @Test
  @DisplayName("takes no side of a read/write lock")
  void sides() throws Exception {
    try (LockManager locks = open()) {
      outlives(() -> locks.readWriteLock("x", FIXED).read().tryAcquire(WAIT));
      outlives(() -> locks.readWriteLock("x", FIXED).write().tryAcquire(WAIT));
      isFree("lh:{x}:readers", "lh:{x}:writer");
    }
  }

  @Test
  @DisplayName("takes no permits")
  void permits() throws Exception {
    try (LockManager locks = open()) {
      outlives(() -> locks.semaphore("x", 3, FIXED).tryAcquire(2, WAIT));
      isFree("lh:{x}:permits");
    }
  }

  @Test
  @DisplayName("takes none of several locks")
  void several() throws Exception {
    try (LockManager locks = open()) {
      DistributedLock all = locks.all(List.of("x", "y"), FIXED);
      all.tryAcquire(WAIT).orElseThrow().release(); // the script is there
      ActiveFault stray = proxy.next(1, SCRIPT, CommandFault.strayRequest());
      proxy.record(1);
      all.tryAcquire(WAIT).orElseThrow().release();
      assertEquals(1, stray.hits());
      // The locks were taken by other tokens; the first two are released in the background.
      List<String> args = proxy.recorded().get(0).command().args();
      List<String> tokens = args.subList(args.size() - 2, args.size());
      Await.until("x's is released", () -> isMarked("x", tokens.get(0)));
      Await.until("y's is released", () -> isMarked("y", tokens.get(1)));
      arrives(stray);
      isFree("lh:{x}", "lh:{y}");
    }
  }

  private boolean isMarked(String name, String token) {
    return server.admin().exists("lh:{" + name + "}:gone:" + token) == 1;
  }

  @Test
  @DisplayName("takes no lock that was kept for a minimum hold and is free since")
  void minimumHold() throws Exception {
    try (LockManager locks = open()) {
      LockOptions kept = FIXED.toBuilder().atLeast(Duration.ofMillis(1500)).build();
      locks.lock("x", FIXED).acquire().release();
      ActiveFault stray = proxy.next(1, SCRIPT, CommandFault.strayRequest());
      locks.lock("x", kept).tryAcquire(WAIT).orElseThrow().release();
      Await.until("it is free", () -> server.admin().exists("lh:{x}") == 0);
      arrives(stray);
      isFree("lh:{x}");
    }
  }

  @Test
  @DisplayName("takes nothing where another question was refused meanwhile")
  void refused() throws Exception {
    try (LockManager locks = open();
        LockManager others = open("lock.redis.uri", server.uri())) {
      locks.lock("x", FIXED).acquire().release();
      Lease held = others.lock("x", FIXED).acquire();
      ActiveFault stray = proxy.next(1, SCRIPT, CommandFault.strayRequest());
      assertTrue(locks.lock("x", FIXED).tryAcquire(Duration.ofSeconds(2)).isEmpty());
      Await.until("word is left", () -> server.admin().exists("lh:{x}:gone") == 1);
      held.release();
      arrives(stray);
      isFree("lh:{x}");
      // Others' grants keep the mark for as long as there is word.
      others.lock("x", FIXED).acquire().release();
      assertTrue(server.admin().get("lh:{x}:fence").contains("+0"));
      server.admin().del("lh:{x}:gone");
      others.lock("x", FIXED).acquire().release();
      assertTrue(!server.admin().get("lh:{x}:fence").contains("+0"));
    }
  }

  @Test
  @DisplayName("in plain mode takes the lock for no longer than it was late, or a little more")
  void plain() throws Exception {
    try (LockManager locks = open("lock.redis-set.mode", "plain")) {
      outlives(() -> locks.lock("x", FIXED).tryAcquire(WAIT));
      Await.until("it is free again", () -> server.admin().exists("x") == 0);
    }
  }

  @Test
  @DisplayName("is none where only the answer was late: nothing is left on the server")
  void sameConnection() throws Exception {
    try (LockManager locks = open("lock.command-timeout", "1500ms")) {
      locks.lock("x", FIXED).acquire().release();
      try (ActiveFault slow = proxy.next(1, SCRIPT, CommandFault.holdReply())) {
        Await.until("it was not answered", () -> isUnanswered(locks.lock("x", FIXED)));
        assertEquals(1, slow.hits());
      }
      Await.until("it is released", () -> server.admin().exists("lh:{x}") == 0);
      isFree("lh:{x}:gone");
    }
  }

  private static boolean isUnanswered(DistributedLock lock) {
    try {
      lock.tryAcquire().ifPresent(Lease::release);
      return false;
    } catch (dev.leasehold.lock.LockStoreException unanswered) {
      return true;
    }
  }
}
