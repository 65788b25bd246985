package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No candidate leads by a lock that others may hold at the same time. */
@Timeout(60)
class SharedElectionTest {
  private final LockManager locks = LockManager.over(new ReadersStore(Ticker.system())).build();
  private final LockManager others = LockManager.over(new ReadersStore(Ticker.system())).build();
  private final DistributedLock reads = locks.readWriteLock("a").read();
  private final DistributedLock elsewhere = others.readWriteLock("b").read();

  @AfterEach
  void close() {
    locks.close();
    others.close();
  }

  private static void isRefused(DistributedLock lock, String shown) {
    String words =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> LeaderElection.on(lock))
                .getMessage());
    assertTrue(words.startsWith("an election by " + shown + ": many hold "), words);
  }

  @Test
  void readSidesAloneOrTogether() {
    isRefused(reads, "read lock 'a'");
    isRefused(reads.as(LockOwner.unique("me")), "read lock 'a'");
    isRefused(DistributedLock.all(reads), "all of read lock 'a'");
    isRefused(DistributedLock.all(reads, elsewhere), "all of read lock 'a', read lock 'b'");
    isRefused(
        DistributedLock.all(elsewhere, DistributedLock.all(reads)).as(LockOwner.unique("me")),
        "all of read lock 'b', all of read lock 'a'");
  }

  @Test
  void oneThatIsExclusiveWillDo() throws Exception {
    DistributedLock both = DistributedLock.all(reads, others.lock("b"));
    LeaderElection.on(both);
    LeaderElection.on(DistributedLock.all(elsewhere, DistributedLock.all(both)));
    LeaderElection.on(DistributedLock.all(reads, others.readWriteLock("b").write()));
    DistributedLock asOne = both.as(LockOwner.unique("one"));
    try (var lease = asOne.acquire()) {
      assertEquals(2, lease.parts().size());
      assertTrue(both.as(LockOwner.unique("another")).tryAcquire().isEmpty());
    }
  }
}
