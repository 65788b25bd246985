package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.TestThreads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;

@EnabledIf(
    value = "dev.leasehold.redisson.QuorumOnPath#isOnThePath",
    disabledReason = QuorumOnPath.ELSEWHERE)
@DisplayName("A quorum that is shared with Redisson's own lock over several servers")
class MultiLockTest {
  private static final String NAME = "several";

  private final List<Apps> servers = IntStream.range(0, 3).mapToObj(i -> new Apps()).toList();
  private final RLock[] locks =
      servers.stream().map(each -> each.redisson().getLock(NAME)).toArray(RLock[]::new);
  private final LockManager manager = quorum();
  private final DistributedLock ours = manager.lock(NAME, PATIENT);

  /** What Redisson makes of several locks. */
  enum Kind {
    /** Wants all of them. */
    MULTI_LOCK {
      @Override
      RLock of(RLock... locks) {
        return new RedissonMultiLock(locks);
      }
    },
    /** Wants most of them. */
    RED_LOCK {
      @Override
      @SuppressWarnings("deprecation") // some use it yet
      RLock of(RLock... locks) {
        return new RedissonRedLock(locks);
      }
    };

    abstract RLock of(RLock... locks);
  }

  private LockManager quorum() {
    for (Apps each : servers) {
      RedisServer server = each.server(); // as if it had run for long
      server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
    }
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.backend",
                "redlock",
                "lock.redlock.node-backend",
                "redisson",
                "lock.redlock.longest-lease",
                "2m",
                "lock.redlock.nodes",
                servers.stream()
                    .map(each -> each.server().uri())
                    .collect(Collectors.joining(",")))));
  }

  @AfterEach
  void close() {
    manager.close();
    servers.forEach(Apps::close);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Ours excludes theirs, and our release wakes theirs")
  void oursExcludesTheirs(Kind kind) throws Exception {
    RLock theirs = kind.of(locks);
    Lease lease = ours.acquire();
    assertFalse(theirs.tryLock());
    assertTrue(lease.isValid());
    CompletableFuture<Boolean> waiting =
        onThread(() -> theirs.tryLock(LONG.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS));
    Await.until("it listens", () -> servers.stream().anyMatch(each -> each.listeners(NAME) > 0));
    lease.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertTrue(Await.value(waiting));
    assertEquals(Optional.empty(), ours.tryAcquire());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("An inspection shows that theirs holds it, without a token of ours")
  void inspected(Kind kind) throws Exception {
    Lease lease = ours.acquire();
    assertTrue(ours.inspect().orElseThrow().fencingToken().isPresent());
    lease.release();
    RLock theirs = kind.of(locks);
    theirs.lock();
    HolderInfo told = ours.inspect().orElseThrow();
    assertTrue(told.holder().startsWith("Redisson"), told::toString);
    assertTrue(told.fencingToken().isEmpty(), told::toString);
    assertTrue(told.remaining().compareTo(Duration.ofSeconds(10)) > 0, told::toString);
    theirs.unlock();
    Await.until("the lock is free", () -> ours.inspect().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Theirs excludes ours, and their unlock wakes ours")
  void theirsExcludesOurs(Kind kind) {
    RLock theirs = kind.of(locks);
    theirs.lock();
    assertEquals(Optional.empty(), ours.tryAcquire());
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> servers.stream().anyMatch(each -> each.listeners(NAME) > 0));
    theirs.unlock();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    assertFalse(theirs.tryLock());
    Await.value(waiting).release();
    Await.until("the last node has heard of it", theirs::tryLock);
  }
}
