package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandCounts;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Over Jedis: {@code -Dleasehold.redis8} and {@code -Dleasehold.valkey} name the executables of
 * servers that have a compare-and-delete. What does not depend on the client is tested in
 * lock-redis-set.
 */
@DisplayName("Releases by a server's own compare-and-delete, over Jedis")
class NativeReleaseTest {
  private static long counted(List<RedisServer> servers, String command, String what) {
    return servers.stream()
        .flatMap(server -> server.call("INFO", "commandstats").orElseThrow().toString().lines())
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .map(line -> line.replaceAll(".*[:,]" + what + "=(\\d+).*", "$1"))
        .mapToLong(Long::parseLong)
        .sum();
  }

  /** A new token, marked as one that the store's release could be native for, if it could. */
  private static LeaseKey lease(Ops store) {
    return store.store().prepared(Ops.key("x"));
  }

  private static boolean isNative(Ops store) {
    LeaseKey fresh = Ops.key("x");
    return !store.store().prepared(fresh).equals(fresh);
  }

  /** Asks the server. */
  private static void first(Ops store) {
    LeaseKey first = Ops.key("first");
    assertInstanceOf(Granted.class, store.acquire(first));
    assertEquals(ReleaseResult.RELEASED, store.release(first));
  }

  @Test
  @DisplayName("A server that has none is asked once, and sent none")
  void lacking() {
    try (RedisServer server = RedisServers.start("embedded", ServerOptions.defaults());
        RespProxy proxy = RespProxy.inFrontOf(server);
        Ops store = Ops.open(proxy.uri())) {
      Supplier<CommandCounts> sent = proxy.counting();
      first(store);
      first(store);
      assertEquals(1, sent.get().of("COMMAND"));
      assertTrue(!isNative(store));
      assertEquals(0, sent.get().of("DELEX") + sent.get().of("DELIFEQ"));
    }
  }

  @Nested
  @ParameterizedClass
  @CsvSource({"leasehold.redis8, delex", "leasehold.valkey, delifeq"})
  class Native {
    private final String property;
    private final String command;
    private RedisServer server;
    private RespProxy proxy;
    private Ops store;

    Native(String property, String command) {
      this.property = property;
      this.command = command;
    }

    private String program() {
      String program = System.getProperty(property);
      assumeTrue(program != null, () -> "not run: " + property + " is not set");
      return program;
    }

    @BeforeEach
    void start() {
      server = RedisServers.start(program(), ServerOptions.defaults());
      proxy = RespProxy.inFrontOf(server);
      store = Ops.open(proxy.uri());
    }

    @AfterEach
    void stop() {
      if (server != null) {
        store.close();
        proxy.close();
        server.close();
      }
    }

    private void learn() {
      first(store);
      Await.until("it is known", () -> isNative(store));
      server.call("CONFIG", "RESETSTAT");
    }

    private LeaseKey taken() {
      LeaseKey lease = lease(store);
      assertInstanceOf(Granted.class, store.acquire(lease));
      return lease;
    }

    /** The native commands and the scripts of releases that a step sends. */
    private void sends(int natives, int scripts, Runnable step) {
      Supplier<CommandCounts> sent = proxy.counting();
      step.run();
      assertEquals(natives, sent.get().of(command), command);
      assertEquals(scripts, sent.get().of("EVALSHA") + sent.get().of("EVAL"), "scripts");
    }

    private void released(ReleaseResult result, LeaseKey lease) {
      assertEquals(result, store.release(lease));
    }

    @Test
    @DisplayName("are the command alone; whatever it does not delete is the script's")
    void uncontended() {
      learn();
      LeaseKey lease = taken();
      sends(1, 0, () -> released(ReleaseResult.RELEASED, lease));
      assertEquals(0L, server.call("EXISTS", "lh:{x}").orElseThrow());
      sends(1, 1, () -> released(ReleaseResult.NOT_OWNER, lease));
    }

    @Test
    @DisplayName("pass a marked lock on in a second step, and at once the next time")
    void contended() {
      learn();
      try (Ops other = Ops.open(server.uri())) {
        LeaseKey waiter = Ops.key("x");
        AtomicInteger woken = new AtomicInteger();
        Watch watch = other.watch(waiter, woken::incrementAndGet);
        LeaseKey lease = taken();
        assertInstanceOf(Held.class, other.acquire(waiter, Ops.TTL, IfHeld.ENQUEUE));
        assertEquals(lease.token() + "!", server.call("GET", "lh:{x}").orElseThrow());
        sends(1, 1, () -> released(ReleaseResult.PASSED_ON, lease));
        Await.until("the waiter is woken", () -> woken.get() > 0);
        assertInstanceOf(Granted.class, other.acquire(waiter));
        other.release(waiter);
        watch.close();
      }
      LeaseKey next = taken();
      sends(0, 1, () -> released(ReleaseResult.RELEASED, next));
      LeaseKey unmarked = taken();
      sends(1, 0, () -> released(ReleaseResult.RELEASED, unmarked));
    }

    @Test
    @DisplayName("are scripts from the first refusal on")
    void refused() {
      learn();
      LeaseKey lease = taken();
      server.call("ACL", "SETUSER", "default", "-" + command);
      sends(1, 1, () -> released(ReleaseResult.RELEASED, lease));
      assertTrue(!isNative(store));
      LeaseKey marked = new LeaseKey("x", lease.token());
      assertInstanceOf(Granted.class, store.acquire(marked));
      sends(0, 1, () -> released(ReleaseResult.RELEASED, marked));
    }

    /** As after a failover to an older server. */
    @Test
    @DisplayName("are scripts where the server no longer has the command")
    void gone() {
      learn();
      LeaseKey lease = taken();
      try (ActiveFault older =
          proxy.every(
              CommandMatch.named(command),
              CommandFault.refuse("ERR unknown command '" + command + "', with args beginning"))) {
        sends(1, 1, () -> released(ReleaseResult.RELEASED, lease));
        assertEquals(1, older.hits());
      }
      assertTrue(!isNative(store));
    }

    @Test
    @DisplayName("stay native after any other error, which the script reports")
    void otherError() {
      learn();
      server.call("LPUSH", "lh:{x}", "no lock");
      LeaseKey lease = lease(store);
      sends(
          1,
          1,
          () -> {
            LockStoreException e =
                assertThrows(LockStoreException.class, () -> store.release(lease));
            assertTrue(e.getMessage().contains("WRONGTYPE"), e.getMessage());
          });
      server.call("DEL", "lh:{x}");
      LeaseKey next = taken();
      sends(1, 0, () -> released(ReleaseResult.RELEASED, next));
    }

    @Test
    @DisplayName("are scripts for a user without permission to ask, which is tried once")
    void mayNotAsk() {
      server.call("ACL", "SETUSER", "default", "-command");
      first(store);
      first(store);
      assertEquals(1, counted(List.of(server), "command|info", "rejected_calls"));
      assertTrue(!isNative(store));
    }

    @Test
    @DisplayName("follow a slot that has moved, and are no script there")
    void moved() {
      try (RedisCluster cluster = RedisCluster.start(program(), 3, 0, ServerOptions.defaults());
          Ops inCluster = Ops.open(cluster.owner("lh:{x}").uri(), "lock.redis.cluster", "true")) {
        first(inCluster);
        Await.until("it is known", () -> isNative(inCluster));
        LeaseKey lease = lease(inCluster);
        assertInstanceOf(Granted.class, inCluster.acquire(lease));
        cluster.move("lh:{x}").finish();
        cluster.nodes().forEach(node -> node.call("CONFIG", "RESETSTAT"));
        assertEquals(ReleaseResult.RELEASED, inCluster.release(lease));
        assertEquals(1, counted(cluster.nodes(), command, "rejected_calls"), "at the old node");
        assertEquals(1, counted(cluster.nodes(), command, "calls"), "at the new one");
        assertEquals(0, counted(cluster.nodes(), "evalsha", "rejected_calls"));
        assertEquals(0, counted(cluster.nodes(), "evalsha", "calls"));
      }
    }

    /** The native command would leave no mark of the token, and the acquisition come. */
    @Test
    @DisplayName("are the script's if an acquisition of the token may still arrive")
    void late() {
      learn();
      LeaseKey lease = lease(store);
      try (ActiveFault stray =
          proxy.next(1, CommandMatch.containing(lease.token()), CommandFault.strayRequest())) {
        assertThrows(LockStoreException.class, () -> store.acquire(lease));
        assertEquals(1, stray.hits());
        sends(0, 2, () -> released(ReleaseResult.NOT_OWNER, lease)); // by its text, the first time
      }
      Await.until("it has arrived", () -> counted(List.of(server), "evalsha", "calls") >= 2);
      assertEquals(0L, server.call("EXISTS", "lh:{x}").orElseThrow());
    }
  }
}
