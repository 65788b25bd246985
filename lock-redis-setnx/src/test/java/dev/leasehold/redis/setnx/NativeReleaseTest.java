package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Releases by a server's own compare-and-delete, over Jedis. {@code -Dleasehold.redis8} and {@code
 * -Dleasehold.valkey} name the executables of servers that have one.
 */
class NativeReleaseTest {
  private static final Duration TTL = Duration.ofSeconds(10);

  private static long calls(RedisServer server, String command) {
    String stats = (String) server.call("INFO", "commandstats").orElseThrow();
    Matcher m = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
    return m.find() ? Long.parseLong(m.group(1)) : 0;
  }

  @ParameterizedTest
  @CsvSource({"leasehold.redis8, delex, -delex", "leasehold.valkey, delifeq, -delifeq"})
  void anUncontendedReleaseIsTheCommandAlone(String property, String command, String without)
      throws Exception {
    String program = System.getProperty(property);
    assumeTrue(program != null, () -> "not run: " + property + " is not set");
    try (RedisServer server = RedisServers.start(program, ServerOptions.defaults());
        Ops store = Ops.open(server.uri());
        Ops other = Ops.open(server.uri())) {
      LeaseKey key = Ops.key("x");
      LeaseKey first = Ops.key("first");
      store.acquire(first);
      store.release(first);
      Await.until("it is known", () -> !store.store().prepared(key).equals(key));
      LeaseKey lease = store.store().prepared(key);
      assertInstanceOf(Granted.class, store.acquire(lease));
      server.call("CONFIG", "RESETSTAT");
      assertEquals(ReleaseResult.RELEASED, store.release(lease));
      assertEquals(1, calls(server, command));
      assertEquals(0, calls(server, "evalsha"));

      LeaseKey second = store.store().prepared(Ops.key("x"));
      assertInstanceOf(Granted.class, store.acquire(second));
      assertInstanceOf(Held.class, other.acquire(Ops.key("x"), TTL, IfHeld.ENQUEUE));
      assertEquals(second.token() + "!", server.call("GET", "lh:{x}").orElseThrow());
      assertEquals(ReleaseResult.RELEASED, store.release(second), "none listens");
      assertEquals(0L, server.call("EXISTS", "lh:{x}", "lh:{x}:wait").orElseThrow());

      LeaseKey third = store.store().prepared(Ops.key("x"));
      assertInstanceOf(Granted.class, store.acquire(third));
      server.call("ACL", "SETUSER", "default", without);
      assertEquals(ReleaseResult.RELEASED, store.release(third));
      assertEquals(key, store.store().prepared(key), "not sent again");
    }
  }
}
