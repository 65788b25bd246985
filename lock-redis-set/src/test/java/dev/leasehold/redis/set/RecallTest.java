package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Script;
import dev.leasehold.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Recalls of a lease that lingers, looked at from the server's side. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@DisplayName("A lease that can be recalled, and the commands of a client that wants it")
class RecallTest {
  private static final LockOptions PATIENT =
      LockOptions.builder().waitStrategy(WaitStrategy.every(Duration.ofMinutes(1))).build();

  private final ServerKind kind;
  private TestServer server;
  private StoreOps keeper;
  private LeaseKey kept;
  private Watch watch;
  private final AtomicInteger recalls = new AtomicInteger();

  RecallTest(ServerKind kind) {
    this.kind = kind;
  }

  /** A process that has a lease, and hears its recalls but does not act on them. */
  @BeforeEach
  void start() {
    server = kind.start();
    keeper = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    RecallStore recallable = (RecallStore) keeper.store();
    kept = recallable.recallable(new LeaseKey("x", "keeper:1"));
    watch = Await.value(recallable.onRecall(kept, recalls::incrementAndGet));
    recalls.set(0);
    assertInstanceOf(Granted.class, keeper.acquire(kept, Duration.ofMinutes(5)));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      watch.close();
      keeper.close();
      server.close();
    }
  }

  private LockManager lingering() {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.backend", "redis-set",
                "lock.redis.uri", server.uri(),
                "lock.linger", "10s")));
  }

  private long scripts() {
    Matcher m =
        Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
            .matcher(server.admin().info("commandstats"));
    return m.find() ? Long.parseLong(m.group(1)) : 0;
  }

  @Test
  @DisplayName(
      "A waiter's refusals recall it: it sends two requests, and one more when it is woken")
  void aWaiterSendsNoRecalls() throws Exception {
    try (LockManager locks = lingering()) {
      Await.until(
          "it listens, so a lease is kept",
          () -> {
            locks.lock("warm").acquire().release();
            return server.admin().exists("lh:{warm}") == 1;
          });
      server.admin().configResetstat();
      CompletableFuture<Lease> waits =
          locks.lock("x", PATIENT).acquireAsync().toCompletableFuture();
      Await.until("it is queued", () -> server.admin().zcard("lh:{x}:wait") == 1);
      Await.until("the keeper hears it", () -> recalls.get() >= 2);
      Await.until("all its scripts are requests that recall", () -> recalls.get() == scripts());
      long sent = scripts();
      assertFalse(server.admin().scriptExists(sha(Script.RECALL)).get(0), "no recall by itself");
      assertTrue(sent <= 3, "a third only if the server confirms the subscription late: " + sent);
      keeper.release(kept);
      Lease lease = Await.value(waits);
      assertTrue(lease.isValid());
      assertEquals(sent + 2, scripts(), "with the release, and the request of the woken waiter");
      lease.release();
    }
  }

  private static String sha(Script script) {
    return new String(script.sha(), StandardCharsets.US_ASCII);
  }

  /** A refusal, by a process whose own leases linger or don't. */
  private Held refused(StoreOps asks, boolean lingers, IfHeld ifHeld) {
    LeaseKey fresh = new LeaseKey("x", "asks:1");
    LeaseKey mine = lingers ? ((RecallStore) asks.store()).recallable(fresh) : fresh;
    return assertInstanceOf(Held.class, asks.acquire(mine, StoreOps.TTL, ifHeld));
  }

  @Test
  @DisplayName("A refusal tells whether it has recalled it")
  void aRefusalTells() {
    try (StoreOps asks = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
      Held asked = refused(asks, true, IfHeld.REFUSE);
      assertTrue(asked.recalled());
      assertEquals(kept.token(), asked.recallable().orElseThrow());
      Await.until("the keeper hears it", () -> recalls.get() == 1);
      assertTrue(refused(asks, true, IfHeld.ENQUEUE).recalled());
      Await.until("the keeper hears it", () -> recalls.get() == 2);
      assertFalse(refused(asks, false, IfHeld.REFUSE).recalled(), "it did not ask for a recall");
      keeper.release(kept);
      keeper.acquire(new LeaseKey("x", "keeper:2"));
      Held other = refused(asks, true, IfHeld.REFUSE);
      assertFalse(other.recalled(), "that can't be recalled");
      assertTrue(other.recallable().isEmpty());
      assertEquals(2, recalls.get());
    }
  }

  @Test
  @DisplayName("A refusal that may not publish leaves the recall to the caller, which fails")
  void aForbiddenChannel() {
    server.call("ACL", "SETUSER", "mute", "on", ">pw", "~*", "+@all", "resetchannels");
    String uri = server.uri().replace("redis://", "redis://mute:pw@");
    try (StoreOps asks = StoreOps.open(Map.of("lock.redis.uri", uri))) {
      Held held = refused(asks, true, IfHeld.ENQUEUE);
      assertFalse(held.recalled());
      assertEquals(kept.token(), held.recallable().orElseThrow());
      RecallStore store = (RecallStore) asks.store();
      LockStoreException why =
          assertThrows(LockStoreException.class, () -> Await.value(store.recall(kept)));
      assertEquals(LockStoreException.Kind.REFUSED, why.kind());
      assertEquals(0, recalls.get());
    }
  }

  @Test
  @DisplayName("A recall without a receiver does not count")
  void nobodyListens() {
    keeper.close();
    try (StoreOps asks = StoreOps.open(Map.of("lock.redis.uri", server.uri()))) {
      Await.until("it is gone", () -> server.admin().pubsubChannels().isEmpty());
      Held held = refused(asks, true, IfHeld.REFUSE);
      assertFalse(held.recalled());
      assertTrue(held.recallable().isPresent());
    }
  }
}
