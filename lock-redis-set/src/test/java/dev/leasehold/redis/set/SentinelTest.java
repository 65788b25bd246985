package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Waiting;
import dev.leasehold.testkit.server.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary that Sentinels name, and another one after a failover. */
class SentinelTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");
  @TempDir private Path folder;
  private TestServer primary;
  private TestServer replica;
  private Process sentinel;
  private int sentinelPort;

  @BeforeEach
  void start() throws IOException {
    String program = ServerKind.REDIS.required();
    primary = ServerKind.REDIS.start();
    replica = ServerKind.REDIS.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
    Await.until(() -> replica.admin().info("replication").contains("master_link_status:up"));
    sentinelPort = TestServer.freePort();
    Path config = folder.resolve("sentinel.conf");
    Files.writeString(
        config,
        "port "
            + sentinelPort
            + "\nbind 127.0.0.1\ndir "
            + folder
            + "\nsentinel monitor locks 127.0.0.1 "
            + primary.port()
            + " 1\nsentinel down-after-milliseconds locks 500\n"
            + "sentinel failover-timeout locks 5000\n");
    sentinel =
        new ProcessBuilder(program, config.toString(), "--sentinel")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Await.until(this::knowsReplica);
  }

  private boolean knowsReplica() {
    try (RespConnection c = RespConnection.to("127.0.0.1", sentinelPort, Duration.ofSeconds(2))) {
      return c.call("SENTINEL", "REPLICAS", "locks").toString().contains("" + replica.port());
    } catch (UncheckedIOException | RespConnection.ServerError notYet) {
      return false;
    }
  }

  @AfterEach
  void stop() {
    if (sentinel != null) {
      sentinel.destroyForcibly();
      sentinel.onExit().join();
      primary.close();
      replica.close();
    }
  }

  @Test
  void thePrimaryIsFoundAndAfterAFailoverTheNextOne() {
    try (StoreOps store =
        StoreOps.open(
            Map.of("lock.redis.uri", "redis-sentinel://127.0.0.1:" + sentinelPort + "#locks"))) {
      long fence = ((Granted) store.acquire(A)).fence().orElseThrow();
      AtomicInteger woken = new AtomicInteger();
      store.watch(B, woken::incrementAndGet);
      woken.set(0);
      assertEquals("a:1", primary.admin().get("lh:{x}"));
      Await.until(() -> replica.admin().exists("lh:{x}") == 1);
      primary.kill();
      Await.until(() -> renews(store));
      assertEquals("a:1", replica.admin().get("lh:{x}"));
      Await.until(() -> woken.get() > 0); // the subscription is back too
      store.acquire(B, StoreOps.TTL, Waiting.YES);
      woken.set(0);
      assertEquals(ReleaseResult.RELEASED_AND_WOKE, store.release(A));
      Await.until(() -> woken.get() == 1);
      Granted next = assertInstanceOf(Granted.class, store.acquire(B));
      assertTrue(next.fence().orElseThrow() > fence);
    }
  }

  private static boolean renews(StoreOps store) {
    try {
      store.renew(A, Duration.ofMinutes(1));
      return true;
    } catch (LockStoreException notYet) {
      return false;
    }
  }
}
