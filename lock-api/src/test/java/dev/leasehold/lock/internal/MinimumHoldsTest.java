package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MinimumHoldsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicLong ahead = new AtomicLong();
  private final MapStore store = new MapStore(this::nanos);
  private final LockManager locks = open();
  private final DistributedLock job =
      locks.lock("job", LockOptions.builder().atLeast(MINUTE).build());

  private long nanos() {
    return System.nanoTime() + ahead.get();
  }

  private void pass(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  private LockManager open() {
    return LockManager.over(store).ticker(this::nanos).closeGrace(Duration.ofMillis(50)).build();
  }

  @AfterEach
  void close() {
    locks.close();
  }

  private void assertLeft(Duration least, Duration most) {
    Duration left = store.left("job");
    assertTrue(left.compareTo(least) >= 0 && left.compareTo(most) <= 0, () -> "left: " + left);
  }

  @Test
  void theStoreIsAskedForMoreThanTheMinimumWhereTheLeaseIsShorter() throws Exception {
    long begun = nanos();
    job.acquire();
    Duration left = store.left("job");
    Duration asked = left.plusNanos(nanos() - begun); // at most this: some of it has passed
    assertTrue(asked.compareTo(MINUTE.plusMillis(500)) >= 0, () -> "asked for: " + asked);
    assertTrue(left.compareTo(MINUTE.plusSeconds(1)) <= 0, () -> "left: " + left);
    Lease longer =
        locks.lock("long", LockOptions.builder().atLeast(Duration.ofSeconds(10)).build()).acquire();
    assertTrue(store.left("long").compareTo(Duration.ofSeconds(29)) > 0);
    longer.release();
    assertTrue(store.left("long").compareTo(Duration.ofSeconds(11)) < 0);
    assertTrue(store.left("long").compareTo(Duration.ofSeconds(9)) > 0);
  }

  @Test
  void aReleaseKeepsItForWhatIsLeftAndThenNoLonger() throws Exception {
    Lease lease = job.acquire();
    pass(Duration.ofSeconds(20));
    lease.release();
    assertFalse(lease.isValid());
    assertLeft(Duration.ofSeconds(38), Duration.ofSeconds(41));
    assertTrue(job.tryAcquire().isEmpty(), "the same owner");
    assertTrue(job.as(LockOwner.unique("other")).tryAcquire().isEmpty());
    assertEquals(4, store.calls, "nothing but what was asked for");
    pass(Duration.ofSeconds(41));
    Lease next = job.tryAcquire().orElseThrow();
    assertTrue(next.fencingToken() > lease.fencingToken());
    pass(MINUTE.plusSeconds(2));
    assertFalse(next.isValid(), "it was not renewed in this jump of time");
  }

  @Test
  void afterItsMinimumItIsFreedAtOnce() throws Exception {
    Lease lease = job.acquire();
    pass(Duration.ofSeconds(25));
    assertTrue(lease.extend(MINUTE.multipliedBy(2)));
    pass(Duration.ofSeconds(36));
    lease.release();
    job.tryAcquire().orElseThrow();
  }

  @Test
  void aFixedLeaseEndsAtItsTimeAndTheLockLater() throws Exception {
    LockOptions options =
        LockOptions.builder().fixedLease(Duration.ofMillis(80)).atLeast(MINUTE).build();
    Lease lease = locks.lock("job", options).acquire();
    assertTrue(lease.remaining().compareTo(Duration.ofMillis(80)) < 0);
    lease.lost().toCompletableFuture().get();
    assertThrows(LeaseLostException.class, lease::release);
    assertTrue(job.tryAcquire().isEmpty());
    assertLeft(Duration.ofSeconds(58), MINUTE.plusSeconds(1));
  }

  @Test
  void theOutermostAcquisitionsMinimumCounts() throws Exception {
    DistributedLock plain = locks.lock("job");
    Lease outer = plain.acquire();
    Lease inner = job.acquire();
    inner.release();
    outer.release();
    assertEquals(Duration.ZERO, store.left("job"));
    outer = job.acquire();
    inner = plain.acquire();
    outer.release();
    assertTrue(inner.isValid());
    inner.release();
    assertLeft(Duration.ofSeconds(58), MINUTE.plusSeconds(1));
  }

  @Test
  void aWaiterOfTheProcessIsNotHandedIt() throws Exception {
    Lease lease = job.acquire();
    CompletableFuture<Optional<Lease>> waiting =
        job.tryAcquireAsync(Duration.ofSeconds(3)).toCompletableFuture();
    lease.release();
    assertTrue(job.tryAcquire().isEmpty());
    assertFalse(waiting.isDone());
    pass(MINUTE.plusSeconds(1));
    assertTrue(waiting.get().isPresent());
  }

  @Test
  void aMinimumBeginsWithAGrantOfTheStore() throws Exception {
    Lease plain = locks.lock("job").acquire();
    CompletableFuture<Lease> waiting = job.acquireAsync().toCompletableFuture();
    pass(Duration.ofSeconds(5));
    plain.release();
    Lease lease = waiting.get();
    assertLeft(Duration.ofSeconds(58), MINUTE.plusSeconds(1));
    lease.release();
    assertLeft(Duration.ofSeconds(58), MINUTE.plusSeconds(1));
  }

  @Test
  void whatNobodyCameToUseIsFreed() throws Exception {
    CompletableFuture<Lease> result = job.acquireAsync().toCompletableFuture();
    LeaseHandle lease = (LeaseHandle) result.get();
    lease.giveBackUnused();
    assertEquals(Duration.ZERO, store.left("job"));
  }

  @Test
  void whatIsKeptIsShownAsWhoseItWas() throws Exception {
    try (LockManager named = LockManager.over(store).ticker(this::nanos).label("a-b").build()) {
      named.lock("job", LockOptions.builder().atLeast(MINUTE).build()).acquire().release();
      assertEquals("a-b", named.lock("job").inspect().orElseThrow().holder());
    }
    // A label that begins as a tombstone does would look like one.
    assertThrows(IllegalArgumentException.class, () -> LockManager.over(store).label("-a"));
    assertEquals("a", Label.ofHost("öa.example"));
  }

  @Test
  void closingKeepsIt() throws Exception {
    Lease released = job.acquire();
    LockManager other = open();
    other.lock("other", LockOptions.builder().atLeast(MINUTE).build()).acquire();
    released.release();
    locks.close();
    other.close();
    assertLeft(Duration.ofSeconds(58), MINUTE.plusSeconds(1));
    assertTrue(store.left("other").compareTo(Duration.ofSeconds(58)) > 0);
  }

  @Test
  void theRestIsTheWholeMinimumWithItsDriftLessTheTimeSinceTheGrant() {
    assertEquals(Duration.ZERO, LeaseTimes.rest(Duration.ZERO, Duration.ZERO));
    assertEquals(Duration.ofMillis(60_609), LeaseTimes.rest(MINUTE, Duration.ZERO));
    assertEquals(
        Duration.ofMillis(60_609 - 59_000), LeaseTimes.rest(MINUTE, Duration.ofSeconds(59)));
    assertEquals(Duration.ZERO, LeaseTimes.rest(MINUTE, Duration.ofSeconds(62)));
    assertEquals(
        Duration.ofMillis(1),
        LeaseTimes.rest(MINUTE, Duration.ofMillis(60_608).plusNanos(500_000)));
  }

  @Test
  void theTimeToLiveIsTheLongerOfLeaseAndMinimum() {
    LockOptions both = LockOptions.builder().atLeast(Duration.ofSeconds(29)).build();
    assertEquals(Duration.ofSeconds(30), LeaseTimes.ttl(both));
    both = LockOptions.builder().atLeast(Duration.ofSeconds(30)).build();
    assertTrue(LeaseTimes.ttl(both).compareTo(Duration.ofMillis(30_300)) > 0);
  }

  @Test
  void aRangeIsKept() {
    LockOptions.Builder builder = LockOptions.builder();
    for (Duration wrong :
        new Duration[] {
          Duration.ofNanos(-1), Duration.ofDays(366), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
      IllegalArgumentException told =
          assertThrows(IllegalArgumentException.class, () -> builder.atLeast(wrong));
      assertEquals(
          "minimum hold " + Setting.written(wrong) + " is not between 0ms and 365d",
          told.getMessage());
    }
    assertEquals(Duration.ofDays(365), builder.atLeast(Duration.ofDays(365)).build().atLeast());
    LockOptions options = builder.atLeast(MINUTE).build();
    assertEquals(MINUTE, options.toBuilder().build().atLeast());
    assertTrue(options.toString().contains("at least 1m"), options::toString);
  }

  @Test
  void settingsSayItToo() {
    assertEquals(
        MINUTE, LockOptions.from(LockSettings.of(Map.of("lock.at-least", "1m"))).atLeast());
    assertEquals(Duration.ZERO, LockOptions.from(LockSettings.of(Map.of())).atLeast());
    String told =
        assertThrows(
                LockConfigurationException.class,
                () -> LockOptions.from(LockSettings.of(Map.of("lock.at-least", "-1s"))))
            .getMessage();
    assertTrue(told.contains("lock.at-least = '-1s'"), told);
    assertTrue(told.contains("0ms to 365d"), told);
  }

  /** As one of a few lines is written, without any of it. */
  private static final class Bare extends BlockingLeaseStore {
    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      return new AcquireResult.Granted(OptionalLong.empty(), request.ttl());
    }

    @Override
    protected RenewResult renewNow(RenewRequest request) {
      return RenewResult.RENEWED;
    }

    @Override
    protected ReleaseResult releaseNow(LeaseKey lease) {
      return ReleaseResult.RELEASED;
    }

    @Override
    protected Optional<StoredLease> inspectNow(String name) {
      return Optional.empty();
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of();
    }

    @Override
    public void close() {}
  }

  @Test
  void aManagerWhoseStoreLacksItRefusesAtOnce() {
    LockOptions options = LockOptions.builder().atLeast(MINUTE).build();
    try (LockManager bare = LockManager.over(new Bare()).build()) {
      bare.lock("a").tryAcquire().orElseThrow().release();
      String told =
          assertThrows(LockConfigurationException.class, () -> bare.lock("a", options))
              .getMessage();
      for (String word : new String[] {" 1m:", "MINIMUM_HOLD", "redis-set", "redlock"}) {
        assertTrue(told.contains(word), told);
      }
    }
    assertThrows(
        LockConfigurationException.class,
        () -> LockManager.over(new Bare()).defaults(options).build());
  }
}
