package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.PATIENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

/** Redisson's semaphore without owners, beside ours; where it is still so, the test shows that. */
@DisplayName("Known defects of Redisson's RSemaphore do not occur in ours")
class KnownSemaphoreDefectsTest {
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** Is renewed, also on a machine that stands still for a while. */
  private static final Duration RENEWED = Duration.ofSeconds(5);

  private final Apps apps = new Apps();

  @AfterEach
  void close() {
    apps.close();
  }

  private OtherProcess process() {
    return apps.closing(OtherProcess.start(apps.server().uri(), LEASE));
  }

  private String call(String... words) {
    return String.valueOf(apps.server().call(words).orElse("none"));
  }

  @Test
  @DisplayName("A killed process's permits come back when its lease ends (#2045, #4462)")
  void killed() throws Exception {
    OtherProcess theirs = process();
    assertEquals("true", theirs.does("main", "semaphore", "theirs", "set 2"));
    assertEquals("true", theirs.does("main", "semaphore", "theirs", "try"));
    assertEquals("true", theirs.does("main", "semaphore", "theirs", "try"));
    RedissonClient dying = apps.redisson();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    Lease both = apps.ours(dying, RedissonMode.PLAIN).semaphore("ours", 2, renewed).acquire(2);
    DistributedSemaphore here = apps.ours(RedissonMode.PLAIN).semaphore("ours", 2, PATIENT);
    assertEquals(0, here.available());
    Await.pass(RENEWED.plusSeconds(1));
    both.ensureValid();
    assertEquals(0, here.available(), "it lives, so it is renewed");

    theirs.kill();
    dying.shutdown(0, 2, TimeUnit.SECONDS); // it is heard of no more
    Await.until("both are free", () -> here.available() == 2);
    here.tryAcquire(2).orElseThrow().release();
    Await.pass(LEASE.multipliedBy(2));
    assertEquals("0", call("GET", "theirs"), "mended there: take this line out");
    assertEquals(-1, apps.ttl("theirs"), "mended there: take this line out");
  }

  @Test
  @DisplayName("A client that holds none adds none (#5066)")
  void addedByAnybody() throws Exception {
    OtherProcess theirs = process();
    assertEquals("true", theirs.does("main", "semaphore", "theirs", "set 2"));
    theirs.does("main", "semaphore", "theirs", "release");
    assertEquals(
        "3",
        theirs.does("main", "semaphore", "theirs", "available"),
        "mended there: take this line out");

    LockManager manager = apps.ours(RedissonMode.PLAIN);
    DistributedSemaphore ours = manager.semaphore("ours", 2, PATIENT);
    Lease one = ours.acquire();
    one.release();
    one.release();
    assertEquals(2, ours.available());
    Lease two = ours.acquire(2);
    try (LeaseStore store = RedissonLocks.over(apps.redisson()).open()) {
      LeaseStore permits = ((PermitStore) store).permits(1, 2);
      ReleaseResult answer = Await.value(permits.release(new LeaseKey("ours", "t:nobody")));
      assertEquals(ReleaseResult.NOT_OWNER, answer);
    }
    assertEquals(0, ours.available());
    assertTrue(ours.tryAcquire().isEmpty());
    two.release();
    assertEquals(2, ours.available());
  }
}
