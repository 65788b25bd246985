package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisReplication;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/** Plain Redisson and ours beside each other, on a primary with one replica. */
@DisplayName("Where the primary has replicas, a lock counts when one of them has it")
class ReplicasTest extends WithReplica {
  private static final String NAME = "replicated";
  private static final Duration WITHIN = Duration.ofSeconds(20);

  /** Where none is going to acknowledge. */
  private static final Duration SHORT = Duration.ofMillis(100);

  private static final LockOptions FIXED = LockOptions.fixed(Apps.LONG);

  private static final Optional<Object> NONE = Optional.of(List.of());

  private RedissonClient client = client(group, config -> config);

  @Override
  @AfterEach
  void mend() {
    replica.resume();
    client.shutdown(0, 2, TimeUnit.SECONDS);
    super.mend();
  }

  private static RedissonClient client(RedisReplication group, UnaryOperator<Config> changes) {
    return Apps.redisson(
        group, config -> changes.apply(config.setSlavesSyncTimeout(WITHIN.toMillis())));
  }

  private RLock theirs(RedissonMode mode) {
    return switch (mode) {
      case PLAIN -> client.getLock(NAME);
      case FAIR -> client.getFairLock(NAME);
    };
  }

  private LockManager manager(RedissonMode mode) {
    return RedissonLocks.over(client).mode(mode).manager();
  }

  private void use(UnaryOperator<Config> changes) {
    client.shutdown(0, 2, TimeUnit.SECONDS);
    client = client(group, changes);
  }

  private static boolean has(RedisServer server) {
    return server.call("EXISTS", NAME).equals(Optional.of(1L));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A lock is not granted before a replica has it, ours as theirs")
  void waitsForTheReplica(RedissonMode mode) {
    try (LockManager manager = manager(mode)) {
      DistributedLock ours = manager.lock(NAME, FIXED);
      ours.tryAcquire().orElseThrow().release(); // it knows the replica, and the server the scripts
      replica.pause();
      CompletableFuture<Optional<Lease>> own =
          ours.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
      Await.until("the primary has it", () -> has(group.primary()));
      Await.pass(Duration.ofMillis(50));
      assertFalse(own.isDone());
      replica.resume();
      Lease lease = Await.value(own).orElseThrow();
      assertTrue(has(replica));
      lease.release();
    }
    RLock their = theirs(mode);
    their.lock(Apps.LONG.toMillis(), TimeUnit.MILLISECONDS);
    assertTrue(has(replica));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("A write that no replica acknowledges is refused and undone, ours and theirs")
  void refusedWithoutTheReplica(RedissonMode mode) {
    use(config -> config.setSlavesSyncTimeout(SHORT.toMillis()));
    replica.pause();
    RedisException refused = assertThrows(RedisException.class, theirs(mode)::tryLock);
    assertTrue(String.valueOf(refused.getCause()).contains("None of slaves were synced"));
    assertFalse(has(group.primary()));
    try (LockManager manager = manager(mode)) {
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> manager.lock(NAME, FIXED).tryAcquire());
      assertEquals(Kind.UNAVAILABLE, e.kind());
      assertTrue(
          e.getMessage().contains("none of 1 replicas acknowledged it within 100ms"),
          e.getMessage());
      Await.until("nothing is left behind", () -> !has(group.primary()));
    }
  }

  @Test
  @DisplayName("With checkLockSyncedSlaves = false it is still granted, ours and theirs")
  void uncheckedIfSaidSo() {
    use(config -> config.setCheckLockSyncedSlaves(false).setSlavesSyncTimeout(SHORT.toMillis()));
    replica.pause();
    assertTrue(theirs(RedissonMode.PLAIN).tryLock());
    theirs(RedissonMode.PLAIN).forceUnlock();
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      manager.lock(NAME, FIXED).tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("A primary that has lost its replica is as one without, ours as theirs")
  void noneLeft() {
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      DistributedLock ours = manager.lock(NAME, FIXED);
      ours.tryAcquire().orElseThrow().release();
      loseReplica();
      ours.tryAcquire().orElseThrow().release();
    }
    assertTrue(theirs(RedissonMode.PLAIN).tryLock());
  }

  @Test
  @DisplayName("Nor does one that finds a longer time there, which no replica has")
  void renewalThatIsCovered() {
    UnaryOperator<Config> brief = config -> config.setSlavesSyncTimeout(SHORT.toMillis());
    LeaseKey key = new LeaseKey(NAME, "a:1");
    RedissonClient second = client(group, brief);
    use(brief);
    try (LeaseStore store = RedissonLocks.over(client).open();
        LeaseStore other = RedissonLocks.over(second).open()) {
      AcquireRequest request = new AcquireRequest(key, Apps.LONG, IfHeld.REFUSE);
      Await.until("the replica has it in time", () -> Apps.succeeds(store.acquire(request)));
      replica.pause();
      for (LeaseStore each : List.of(store, other)) {
        Duration ttl = each == store ? Apps.LONG.multipliedBy(2) : Apps.LONG;
        CompletableFuture<RenewResult> renewed =
            each.renew(List.of(new RenewRequest(key, ttl))).get(0).toCompletableFuture();
        CompletionException e = assertThrows(CompletionException.class, renewed::join);
        assertInstanceOf(LockStoreException.class, e.getCause());
      }
    } finally {
      second.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName(
      "A write that no replica has is left to the requester, which may ask again with"
          + " the token")
  void notUndone() {
    UnaryOperator<Config> brief = config -> config.setSlavesSyncTimeout(SHORT.toMillis());
    use(brief);
    AcquireRequest request =
        new AcquireRequest(new LeaseKey(NAME, "a:1"), Apps.LONG, IfHeld.REFUSE);
    try (LeaseStore store = RedissonLocks.over(client).open()) {
      replica.pause();
      CompletableFuture<?> refused = store.acquire(request).toCompletableFuture();
      assertThrows(CompletionException.class, refused::join);
      assertTrue(has(group.primary()), "the manager releases it, or asks again");
      CompletableFuture<?> given = store.acquire(request).toCompletableFuture();
      given.cancel(true);
      Await.pass(SHORT.multipliedBy(3));
      assertTrue(has(group.primary()), "nor is it freed for one that gave up");
      replica.resume();
      Await.value(store.release(request.key()));
    }
  }

  @Test
  @DisplayName("Many at once share the few connections")
  void manyAtOnce() {
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      List<CompletableFuture<Void>> turns = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        turns.add(
            manager
                .lock(NAME + i, FIXED)
                .acquireAsync()
                .thenCompose(Lease::releaseAsync)
                .toCompletableFuture());
      }
      turns.forEach(Await::value);
    }
  }

  private static void loseReplica() {
    group.disconnect(replica);
    Await.until(
        "it is gone",
        () -> group.primary().call("ROLE").map(role -> ((List<?>) role).get(2)).equals(NONE));
  }

  @Test
  @DisplayName("A server that has no WAIT is as one without replicas, ours as theirs")
  void withoutWait() {
    ServerOptions options = ServerOptions.defaults().with("--rename-command", "WAIT", "NOWAIT");
    try (RedisReplication other = RedisReplication.start(RedisServers.kind(), 1, options)) {
      client.shutdown(0, 2, TimeUnit.SECONDS);
      client = client(other, config -> config);
      assertTrue(theirs(RedissonMode.PLAIN).tryLock());
      theirs(RedissonMode.PLAIN).unlock();
      try (LockManager manager = manager(RedissonMode.PLAIN)) {
        manager.lock(NAME, FIXED).tryAcquire().orElseThrow().release();
      }
    }
  }

  @Test
  @DisplayName("A user needs +wait; without it nothing is left behind")
  void permission() {
    String user =
        "ACL SETUSER few reset on >secret ~replicated ~lh:* ~redisson_lock* resetchannels"
            + " &redisson_lock__channel:* "
            + ConnectionTest.PERMISSIONS;
    group.primary().call(user.split(" "));
    use(config -> config.setUsername("few").setPassword("secret"));
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      DistributedLock ours = manager.lock(NAME, FIXED);
      LockStoreException e = assertThrows(LockStoreException.class, ours::tryAcquire);
      assertEquals(Kind.REFUSED, e.kind());
      assertTrue(e.getMessage().contains("NOPERM"), e.getMessage());
      assertFalse(has(group.primary()));
      group.primary().call("ACL", "SETUSER", "few", "+wait");
      ours.tryAcquire().orElseThrow().release();
    }
  }

  @Test
  @DisplayName("A replica that joins later is waited for; RLock does not check again")
  void laterReplica() {
    use(config -> config.setSlavesSyncTimeout(SHORT.toMillis()));
    loseReplica();
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      DistributedLock ours = manager.lock(NAME, FIXED);
      ours.tryAcquire().orElseThrow().release();
      RLock their = theirs(RedissonMode.PLAIN);
      their.lock();
      their.unlock();
      replica.replicaOf(group.primary());
      group.awaitInSync();
      replica.pause();
      assertTrue(their.tryLock(), "mended there: take this line out");
      their.unlock();
      assertThrows(LockStoreException.class, ours::tryAcquire);
    }
  }

  @Test
  @DisplayName("A refusal is an answer, even without replicas' acknowledgment")
  void contendedAllTheSame() {
    try (LockManager manager = manager(RedissonMode.PLAIN);
        LockManager other = manager(RedissonMode.PLAIN)) {
      Lease held = other.lock(NAME, FIXED).tryAcquire().orElseThrow();
      replica.pause();
      assertEquals(Optional.empty(), manager.lock(NAME, FIXED).tryAcquire());
      held.release();
    }
  }

  @Test
  @DisplayName("A renewal that no replica has does not count; RLock does not notify its holder")
  void renewals() throws Exception {
    Duration length = Duration.ofMillis(1500); // a busy machine renews late
    use(
        config ->
            config
                .setSlavesSyncTimeout(length.dividedBy(2).toMillis())
                .setLockWatchdogTimeout(length.multipliedBy(3).toMillis()));
    try (LockManager manager = manager(RedissonMode.PLAIN)) {
      DistributedLock ours =
          manager.lock(NAME, LockOptions.builder().automaticLease(length).build());
      Lease first = ours.acquire();
      Await.pass(length.multipliedBy(2));
      assertTrue(first.isValid(), "renewed, the replica acknowledges");
      CompletableFuture<LeaseLoss> lost = first.lost().toCompletableFuture();
      RLock their = client.getLock("theirs");
      their.lock();
      replica.pause();
      assertEquals(Reason.EXPIRED, Await.value(lost).reason());
      Await.pass(length.multipliedBy(3)); // theirs is renewed at the primary alone
      assertTrue(their.isHeldByCurrentThread());
    }
  }

  @Test
  @DisplayName("After a failover that lost them the tokens of RFencedLock go back; ours do not")
  void tokens() {
    try (RedisReplication other = RedisReplication.start(1)) {
      List<Long> their = new ArrayList<>();
      List<Long> own = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        client = client(other, config -> config);
        RFencedLock fenced = client.getFencedLock("fenced");
        their.add(fenced.lockAndGetToken());
        fenced.unlock();
        try (LockManager manager = manager(RedissonMode.PLAIN);
            Lease lease = manager.lock(NAME, FIXED).tryAcquire().orElseThrow()) {
          own.add(lease.fencingToken());
        }
        RedisServer next = other.replicas().get(0);
        if (i == 0) {
          other.disconnect(next); // the next two it will never know
        } else if (i == 2) {
          other.promote(next);
        }
      }
      assertEquals(List.of(1L, 2L, 3L, 2L), their);
      assertEquals(own.stream().sorted().distinct().toList(), own);
    }
  }
}
