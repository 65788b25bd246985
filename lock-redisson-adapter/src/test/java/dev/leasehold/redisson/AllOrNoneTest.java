package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.AT_ONCE;
import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.took;
import static dev.leasehold.testkit.Threads.onThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

@DisplayName("Several locks as one, beside RedissonMultiLock over the same names")
class AllOrNoneTest {
  private final Apps apps = new Apps();
  private final RedissonClient plain = apps.redisson();
  private final RLock theirs =
      plain.getMultiLock(plain.getLock("account-1"), plain.getLock("account-2"));
  private final DistributedLock ours =
      apps.ours(RedissonMode.PLAIN).all(List.of("account-1", "account-2"), PATIENT);

  @AfterEach
  void close() {
    apps.close();
  }

  @Test
  @DisplayName("Ours excludes theirs, and our release wakes theirs")
  void oursExcludesTheirs() throws Exception {
    Lease both = ours.acquire();
    assertFalse(theirs.tryLock());
    CompletableFuture<Boolean> waiting =
        onThread(() -> theirs.tryLock(LONG.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS));
    Await.until("it listens", () -> apps.listeners("account-1") + apps.listeners("account-2") > 0);
    both.release();
    assertTrue(took(waiting).compareTo(AT_ONCE) < 0);
    assertTrue(Await.value(waiting));
    assertEquals(Optional.empty(), ours.tryAcquire());
  }

  @Test
  @DisplayName("Theirs excludes ours, and their unlock wakes ours; who is refused holds none")
  void theirsExcludesOurs() throws Exception {
    theirs.lock();
    assertEquals(Optional.empty(), ours.tryAcquire());
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it listens", () -> apps.listeners("account-1") + apps.listeners("account-2") > 0);
    theirs.unlock();
    assertTrue(took(waiting).compareTo(AT_ONCE) < 0);
    assertFalse(theirs.tryLock());
    Await.value(waiting).release();

    RLock second = plain.getLock("account-2");
    second.lock();
    assertEquals(Optional.empty(), ours.tryAcquire());
    Await.until("the first is free again", () -> apps.ttl("account-1") == -2);
    second.unlock();
  }
}
