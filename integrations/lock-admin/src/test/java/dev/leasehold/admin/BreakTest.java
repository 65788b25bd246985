package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Breaking a hold that was seen")
class BreakTest extends OnOneServer {
  private static final LockOptions SHORT =
      LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build();

  @Test
  @DisplayName("Its holder learns of the loss at its next renewal, and the lock is free")
  void told() throws Exception {
    LockManager one = process("one");
    Lease lease = one.lock("orders", SHORT).acquire();
    LockAdmin admin = admin();
    ListedHold seen = hold(admin, "orders");
    var broken =
        assertInstanceOf(
            BreakResult.Broken.class, admin.breakLock("orders", seen.id()), "of a lease");
    assertFalse(broken.wokeWaiter());
    assertTrue(broken.believedFor().orElseThrow().toMillis() <= 3000, broken::toString);
    assertTrue(process("two").lock("orders").tryAcquire().isPresent());
    LeaseLoss loss = Await.value(lease.lost());
    assertEquals(LeaseLoss.Reason.NOT_OWNER, loss.reason(), loss::toString);
    assertThrows(LeaseLostException.class, lease::release);
    assertFalse(lease.isValid());
  }

  @Test
  @DisplayName("A hold that has ended is not broken, nor is its successor")
  void stale() throws Exception {
    LockManager one = process("one");
    LockAdmin admin = admin();
    Lease first = one.lock("orders").acquire();
    HoldId seen = hold(admin, "orders").id();
    first.release();
    assertEquals(new BreakResult.NotHeld(), admin.breakLock("orders", seen));
    Lease second = process("two").lock("orders").acquire();
    var other = assertInstanceOf(BreakResult.HeldByAnother.class, admin.breakLock("orders", seen));
    assertEquals("two", other.now().get(0).holder());
    assertInstanceOf(BreakResult.HeldByAnother.class, admin.breakGently("orders", seen));
    assertTrue(second.extend(Duration.ofSeconds(31)), "the successor still has it");
    second.release();
  }

  @Test
  @DisplayName("The comparison matters: deleting the key, as by hand, ends the successor's hold")
  void withoutComparison() throws Exception {
    LockManager one = process("one");
    Lease first = one.lock("orders").acquire();
    assertTrue(admin().show("orders").size() == 1);
    first.release();
    Lease second = process("two").lock("orders").acquire();
    server.call("DEL", "lh:{orders}"); // what was seen before is not what is deleted
    assertFalse(second.extend(Duration.ofSeconds(31)));
  }

  @Test
  @DisplayName("The first waiter takes over at once, with a larger token")
  void passedOn() throws Exception {
    LockManager one = process("one");
    Lease lease = one.lock("orders").acquire();
    CompletableFuture<Lease> waiting =
        process("two", "lock.poll.shortest", "30s", "lock.poll.longest", "1m")
            .lock("orders")
            .acquireAsync()
            .toCompletableFuture();
    LockAdmin admin = admin();
    Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == 1);
    long start = System.nanoTime();
    var broken =
        assertInstanceOf(
            BreakResult.Broken.class, admin.breakLock("orders", hold(admin, "orders").id()));
    assertTrue(broken.wokeWaiter());
    Lease next = Await.value(waiting);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(took.toSeconds() < 15, () -> "taken over after " + took); // it polls after 30 s
    assertTrue(next.fencingToken() > lease.fencingToken());
    next.release();
  }

  @Test
  @DisplayName("A waiter's mark is no part of the hold")
  void marked() {
    String token = "one:" + "A".repeat(22) + ".";
    server.call("SET", "lh:{orders}", token, "PX", "20000");
    LockAdmin admin = admin();
    ListedHold seen = hold(admin, "orders");
    assertEquals("one", seen.holder());
    server.call("SET", "lh:{orders}", token + "!", "PX", "20000");
    assertEquals(seen.id(), hold(admin, "orders").id());
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("orders", seen.id()));
    assertEquals(0L, server.call("EXISTS", "lh:{orders}").orElseThrow());
  }

  @Test
  @DisplayName("The fence stays: every later token is larger")
  void fence() throws Exception {
    LockManager one = process("one");
    LockAdmin admin = admin();
    long last = 0;
    for (int i = 0; i < 5; i++) {
      Lease lease = process("p" + i).lock("orders").acquire();
      assertTrue(lease.fencingToken() > last);
      last = lease.fencingToken();
      Object before = server.call("GET", "lh:{orders}:fence").orElseThrow();
      admin.breakLock("orders", hold(admin, "orders").id());
      assertEquals(before, server.call("GET", "lh:{orders}:fence").orElseThrow());
    }
    assertTrue(one.lock("orders").acquire().fencingToken() > last);
  }

  @Test
  @DisplayName("Gently: the holder loses it, and no other gets it before the original deadline")
  void gently() throws Exception {
    LockManager one = process("one");
    Lease lease = one.lock("orders", SHORT).acquire();
    LockAdmin admin = admin();
    ListedHold seen = hold(admin, "orders");
    assertInstanceOf(BreakResult.Broken.class, admin.breakGently("orders", seen.id()));
    ListedHold kept = hold(admin, "orders");
    assertEquals(HoldState.KEPT, kept.state());
    // Not compared with what was seen: a renewal in between made that longer.
    assertTrue(kept.remaining().orElseThrow().toMillis() <= 3000, kept::toString);
    Lease next = process("two").lock("orders").acquire();
    assertFalse(lease.isValid(), "the former holder's deadline is no later than the store's");
    assertEquals(LeaseLoss.Reason.NOT_OWNER, Await.value(lease.lost()).reason());
    assertTrue(next.fencingToken() > lease.fencingToken());
    assertInstanceOf(BreakResult.HeldByAnother.class, admin.breakLock("orders", kept.id()));
  }

  @Test
  @DisplayName("Gently: the deadline stays where it was")
  void deadlineStays() throws Exception {
    process("one").lock("orders", LockOptions.fixed(Duration.ofSeconds(20))).acquire();
    LockAdmin admin = admin();
    ListedHold seen = hold(admin, "orders");
    assertInstanceOf(BreakResult.Broken.class, admin.breakGently("orders", seen.id()));
    ListedHold kept = hold(admin, "orders");
    assertTrue(
        kept.remaining().orElseThrow().compareTo(seen.remaining().orElseThrow()) <= 0,
        () -> seen + ", then " + kept);
  }

  @Test
  @DisplayName("Readers, writers and permits are broken one by one")
  void shares() throws Exception {
    LockManager one = process("one");
    LockManager two = process("two");
    LockAdmin admin = admin();
    Lease first = one.readWriteLock("page").read().acquire();
    Lease second = two.readWriteLock("page").read().acquire();
    ListedHold hold = holdOf(admin, "page", "one");
    assertInstanceOf(BreakResult.NotPossible.class, admin.breakGently("page", hold.id()));
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("page", hold.id()));
    assertFalse(first.extend(Duration.ofSeconds(31)));
    assertTrue(second.extend(Duration.ofSeconds(31)));
    second.release();
    Lease writer = one.readWriteLock("page").write().acquire();
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakGently("page", holdOf(admin, "page", "one").id()));
    assertFalse(writer.extend(Duration.ofSeconds(31)));
    assertTrue(two.readWriteLock("page").read().tryAcquire().isEmpty());
    Lease three = one.semaphore("export", 4).acquire(3);
    Lease fourth = two.semaphore("export", 4).acquire(1);
    CompletableFuture<Lease> waiting =
        two.semaphore("export", 4).acquireAsync(2).toCompletableFuture();
    Await.until("it waits", () -> only(admin.show("export")).waiters().size() == 1);
    assertEquals(2, only(admin.show("export")).waiters().get(0).permits());
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakLock("export", holdOf(admin, "export", "one").id()));
    Await.value(waiting).release();
    assertFalse(three.extend(Duration.ofSeconds(31)));
    assertTrue(fourth.extend(Duration.ofSeconds(31)));
  }

  private static ListedHold holdOf(LockAdmin admin, String name, String label) {
    return only(admin.show(name)).entry().holds().stream()
        .filter(hold -> hold.holder().equals(label))
        .findFirst()
        .orElseThrow();
  }
}
