package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A name taken for maintenance")
class MaintenanceTest extends OnOneServer {
  private static final Instant SIX = Instant.parse("2026-11-27T06:00:00Z");

  private static Instant inHours(int hours) {
    return Instant.now().plus(Duration.ofHours(hours));
  }

  @Test
  @DisplayName("all others are refused, and read reason and end; its end admits the waiter at once")
  void taken() throws Exception {
    LockManager one = process("one");
    LockAdmin admin = admin();
    var taken =
        assertInstanceOf(
            MaintainResult.Taken.class, admin.maintain("orders", "restore of orders", inHours(5)));
    assertEquals(HoldState.MAINTENANCE, taken.hold().state());
    assertTrue(one.lock("orders").tryAcquire().isEmpty());
    HolderInfo info = one.lock("orders").inspect().orElseThrow();
    assertEquals(taken.hold().holder(), info.holder());
    assertTrue(
        info.holder()
            .matches("maintenance@restore_of_orders@until-\\d{4}-\\d\\d-\\d\\dT\\d\\d\\.\\d\\dZ"),
        info::toString);
    Maintenance why = hold(admin, "orders").maintenance().orElseThrow();
    assertEquals("restore of orders", why.reason());
    CompletableFuture<Lease> waiting = one.lock("orders").acquireAsync().toCompletableFuture();
    Await.until("it waits", () -> only(admin.show("orders")).waiters().size() == 1);
    assertInstanceOf(BreakResult.Broken.class, admin.endMaintenance("orders"));
    Lease lease = Await.value(waiting);
    assertTrue(lease.fencingToken() > taken.hold().fencingToken().orElseThrow());
    assertInstanceOf(BreakResult.HeldByAnother.class, admin.endMaintenance("orders"));
    lease.release();
    assertEquals(new BreakResult.NotHeld(), admin.endMaintenance("orders"));
  }

  @Test
  @DisplayName("ends by itself, and outlives the tool")
  void ends() throws Exception {
    LockManager one = process("one");
    try (LockAdmin admin = LockAdmin.open(settings())) {
      assertInstanceOf(
          MaintainResult.Taken.class, admin.maintain("orders", "x", Instant.now().plusSeconds(3)));
    }
    assertTrue(one.lock("orders").tryAcquire().isEmpty());
    assertTrue(one.lock("orders").tryAcquire(Duration.ofSeconds(30)).isPresent());
  }

  @Test
  @DisplayName("is not taken from its holder")
  void held() throws Exception {
    Lease lease = process("one").lock("orders").acquire();
    var refused =
        assertInstanceOf(
            MaintainResult.Refused.class, admin().maintain("orders", "restore", inHours(1)));
    assertEquals("one", refused.now().get(0).holder());
    lease.release();
  }

  @Test
  @DisplayName("has the longest reason in a label that managers accept")
  void longest() {
    String reason = "restore of table 0123456 a.b";
    assertEquals(Maintenance.MOST_REASON, reason.length());
    Maintenance why = new Maintenance(reason, SIX);
    assertEquals(64, why.label().length());
    assertEquals("maintenance@restore_of_table_0123456_a.b@until-2026-11-27T06.00Z", why.label());
    assertEquals(why, Maintenance.of(why.label()).orElseThrow());
    assertEquals(
        "maintenance@x@until-2026-11-27T06.01Z", new Maintenance("x", SIX.plusSeconds(1)).label());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a_b", "x\n", "ü", " x", "0123456789012345678901234567x"})
  @DisplayName("has a reason of plain characters")
  void reasons(String reason) {
    assertThrows(IllegalArgumentException.class, () -> new Maintenance(reason, SIX));
  }

  @Test
  @DisplayName("ends later than now, and within a year")
  void times() {
    LockAdmin admin = admin();
    for (Instant until :
        List.of(Instant.now().minusSeconds(1), Instant.now().plus(Duration.ofDays(366)))) {
      assertThrows(IllegalArgumentException.class, () -> admin.maintain("orders", "x", until));
    }
    assertEquals(List.of(), admin.show("orders"));
  }
}
