package dev.leasehold.redisson;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisCluster;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.connection.CRC16;

@DisplayName("A cluster of which one node hangs")
class HungClusterNodeTest {
  private static final int SLOTS = 16_384;
  private static final int CALLS = 3000;

  /** Locks of other nodes are asked for so often meanwhile. */
  private static final int NOW_AND_THEN = 100;

  private RedisCluster cluster;
  private RedissonClient redisson;
  private LeaseStore store;
  private RedisServer hung;
  private int asked;

  @BeforeEach
  void start() {
    cluster = RedisCluster.start();
    // Without a node's slots the others would refuse: that is the cluster's, not the client's.
    for (RedisServer node : cluster.nodes()) {
      node.call("CONFIG", "SET", "cluster-require-full-coverage", "no");
    }
    hung = cluster.primaries().get(0);
    open(config -> config);
  }

  private void open(UnaryOperator<ClusterServersConfig> changes) {
    RedisServer seed = cluster.primaries().get(1);
    Config config = new Config();
    changes.apply(
        config.useClusterServers().addNodeAddress("redis://" + seed.host() + ":" + seed.port()));
    redisson = Redisson.create(config);
    store = RedissonLocks.over(redisson).mode(RedissonMode.PLAIN).open();
    assertInstanceOf(Granted.class, ask(true).join());
    assertInstanceOf(Granted.class, ask(false).join());
  }

  private void close() {
    store.close();
    redisson.shutdown();
  }

  @AfterEach
  void stop() {
    hung.resume();
    close();
    cluster.close();
  }

  /** Asks for a free lock, on that node or on another. */
  private CompletableFuture<AcquireResult> ask(boolean onHung) {
    String name = "l" + asked++;
    while (CRC16.crc16(name.getBytes(US_ASCII)) % SLOTS < SLOTS / 3
        != onHung) { // the first of three
      name = "l" + asked++;
    }
    return store
        .acquire(
            new AcquireRequest(new LeaseKey(name, "a:1"), Duration.ofMinutes(1), IfHeld.REFUSE))
        .toCompletableFuture();
  }

  private static boolean isRefused(CompletableFuture<?> call) {
    try {
      call.getNow(null);
      return false;
    } catch (CompletionException e) {
      return e.getCause() instanceof LockStoreException why && why.kind() == Kind.UNREACHABLE;
    }
  }

  private void othersGoOn() throws Exception {
    assertInstanceOf(Granted.class, ask(false).get(10, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("Abandoned calls to it are limited, and locks on other servers continue")
  void bounded() throws Exception {
    hung.pause();
    int sent = 0;
    for (int i = 0; i < CALLS; i++) {
      CompletableFuture<AcquireResult> call = ask(true);
      sent += isRefused(call) ? 0 : 1;
      call.cancel(true);
      if (i % NOW_AND_THEN == 0) {
        othersGoOn();
      }
    }
    int most = sent;
    assertTrue(most < CALLS / 2, () -> most + " of " + CALLS + " were sent, and are kept");
    othersGoOn();
    hung.resume();
    Await.until(
        "it is asked again, and answers",
        () -> ask(true).handle((answer, refused) -> answer instanceof Granted).join());
  }

  @Test
  @DisplayName("A broken connection fails only the requests to that node")
  void brokenElsewhere() {
    close();
    // Nothing else is to fail the call, however long a busy machine takes.
    open(config -> config.setTimeout(60_000).setScanInterval(60_000));
    try (ConnectionLosses connections = new Client(redisson, () -> {}).connections()) {
      AtomicInteger broken = new AtomicInteger();
      connections.onBroken(address -> broken.incrementAndGet()); // after the store's
      RedisServer another = cluster.primaries().get(1);
      hung.pause();
      CompletableFuture<AcquireResult> call = ask(true);
      another.call("CLIENT", "KILL", "TYPE", "normal");
      Await.until("another node's connections broke", () -> broken.get() > 0);
      assertFalse(call.isCompletedExceptionally(), call::toString);
      hung.resume();
      assertInstanceOf(Granted.class, Await.value(call));
    }
  }
}
