package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("An owner that asks twice before it is answered does not wait for itself")
class AskedTwiceTest {
  private final GatedStore store = new GatedStore(new MapStore(Ticker.system()));

  @Test
  @DisplayName("While the first answer is pending, the second waits behind it, and joins it")
  void behindItself() throws Exception {
    try (LockManager locks = LockManager.over(store).build()) {
      DistributedLock lock = locks.lock("a").as(LockOwner.unique("both"));
      store.hold(GatedStore.Op.ASK);
      CompletionStage<Lease> waits = lock.acquireAsync();
      CompletionStage<Optional<Lease>> tries = lock.tryAcquireAsync(Duration.ofSeconds(10));
      store.awaitReached(GatedStore.Op.ASK);
      store.open();
      Lease one = waits.toCompletableFuture().get();
      Lease other = tries.toCompletableFuture().get().orElseThrow();
      assertEquals(2, one.holdCount());
      other.release();
      one.release();
    }
  }
}
