package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.several.CombinedNames;
import dev.leasehold.lock.internal.threads.Lifecycle;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Several released names: the number of calls, and how long they delay a close")
class CombinedReleaseCountTest extends TogetherSetting {
  private final CombinedNames combined = combined("a", "b", "c");

  private List<Lease> take() {
    return combined.take(LockOwner.unique("me"), List.of(0, 1, 2), List.of()).join().taken();
  }

  private static void checkDone(List<CompletableFuture<Void>> ends) {
    assertTrue(ends.stream().allMatch(CompletableFuture::isDone), "one has not ended");
    ends.forEach(CompletableFuture::join);
  }

  @Test
  @DisplayName("when all are back, nothing is under way")
  void nothingIsLeft() {
    Lifecycle inFlight = table(manager).store().calls().lifecycle();
    checkDone(combined.giveBack(take(), null));
    assertEquals(List.of(3), store.returned);
    assertFalse(inFlight.isEnded());
    assertTrue(inFlight.drained().isDone(), "something is still counted");
  }

  @Test
  @DisplayName("the last one that is left is released as one by itself")
  void one() {
    List<Lease> leases = take();
    leases.get(0).release();
    leases.get(2).release();
    checkDone(combined.giveBack(leases, null));
    assertEquals(List.of(), store.returned);
    assertTrue(store.isEmpty());
  }
}
