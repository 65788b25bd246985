package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.several.AllLeases;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Several leases as one, some of them implemented by others")
class AllLeasesTest {
  private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();
  private boolean isSure = true;
  private boolean extendsIt = true;
  private int released;

  private final Lease part =
      (Lease)
          Proxy.newProxyInstance(
              Lease.class.getClassLoader(),
              new Class<?>[] {Lease.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "lost":
                    return lost;
                  case "isValid":
                    return true;
                  case "extend":
                    return extendsIt;
                  case "remaining":
                    return Duration.ofSeconds(5);
                  case "release":
                    released++;
                    return null;
                  case "ensureValid":
                    if (!isSure) {
                      throw new LeaseLostException(loss());
                    }
                    return null;
                  default:
                    throw new UnsupportedOperationException(method.getName());
                }
              });

  private final Lease all = AllLeases.of("all", List.of(part), null);

  private static LeaseLoss loss() {
    return new LeaseLoss(LockKind.LOCK, "part", LeaseLoss.Reason.EXPIRED, "it is over");
  }

  @Test
  @DisplayName("They are ensured while each part is, none was lost, and they are not released")
  void ensureValid() {
    assertDoesNotThrow(all::ensureValid);
    isSure = false;
    assertThrows(LeaseLostException.class, all::ensureValid);
    isSure = true;
    assertDoesNotThrow(all::ensureValid);
    all.release();
    assertEquals(1, released);
    LeaseLostException failure = assertThrows(LeaseLostException.class, all::ensureValid);
    assertEquals(LeaseLoss.Reason.NOT_OWNER, failure.loss().reason());
  }

  @Test
  @DisplayName("A part's loss is that of all, also where the part does not say so")
  void lost() {
    lost.complete(loss());
    LeaseLostException failure = assertThrows(LeaseLostException.class, all::ensureValid);
    assertEquals(loss(), failure.loss());
  }

  @Test
  @DisplayName("They are extended if each part is")
  void extend() {
    assertTrue(all.extend(Duration.ofMinutes(1)));
    extendsIt = false;
    assertFalse(all.extend(Duration.ofMinutes(1)));
  }

  @Test
  @DisplayName("Texts name the lock, and how long the lease lasts")
  void words() {
    assertEquals("Lease['all', 5s left]", all.toString());
    all.release();
    assertEquals("Lease['all', not valid]", all.toString());
  }

  private static LockManager manager(MapStore store, ManualTime time) {
    return time.manager(store).build();
  }

  @Test
  @DisplayName("They were others' if one of them was, however deep it lies")
  void wasOthers() {
    ManualTime time = new ManualTime();
    try (LockManager locks = manager(new MapStore(time), time)) {
      Lease first = locks.lock("a").as(LockOwner.unique("first")).tryAcquire().orElseThrow();
      CompletableFuture<Lease> next = locks.lock("a").acquireAsync().toCompletableFuture();
      first.release();
      Lease waitedFor = next.join();
      assertTrue(AllLeases.wasOthers(waitedFor));
      assertFalse(AllLeases.wasOthers(first));
      assertFalse(AllLeases.wasOthers(part));
      assertFalse(AllLeases.wasOthers(AllLeases.of("all", List.of(part, first), null)));
      Lease both = AllLeases.of("all", List.of(part, waitedFor), null);
      assertTrue(AllLeases.wasOthers(AllLeases.of("outer", List.of(part, both), null)));
    }
  }

  @Test
  @DisplayName("After the loss of one the others are renewed no more, and freed at the release")
  void letExpire() {
    ManualTime time = new ManualTime();
    MapStore store = new MapStore(time);
    try (LockManager locks = manager(store, time)) {
      Lease a = locks.lock("a").tryAcquire().orElseThrow();
      Lease b = locks.lock("b").tryAcquire().orElseThrow();
      Lease both = AllLeases.of("both", List.of(a, part, b), null);
      store.forgetOne("a");
      for (int i = 0; i < 4 && !both.lost().toCompletableFuture().isDone(); i++) {
        time.advance(Duration.ofSeconds(10)); // a renewal finds it
      }
      assertEquals("a", both.lost().toCompletableFuture().join().lockName());
      Duration left = store.left("b");
      assertFalse(left.isZero());
      time.advance(left);
      assertEquals(Duration.ZERO, store.left("b"));
      assertThrows(LeaseLostException.class, both::release);
      assertEquals(1, released);
    }
  }
}
