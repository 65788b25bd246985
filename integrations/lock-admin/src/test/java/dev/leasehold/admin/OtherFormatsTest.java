package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Other formats")
class OtherFormatsTest extends OnOneServer {
  private static final String[] PLAIN = {"lock.redis-set.mode", "plain"};

  private static List<String> names(LockListing listing) {
    return listing.stream().map(ListedLock::name).sorted().toList();
  }

  private static boolean saysBareKeys(LockListing listing) {
    return listing.omissions().stream().anyMatch(o -> o.reason() == Omission.Reason.BARE_KEYS);
  }

  @Test
  @DisplayName("Bare keys: ours without a pattern, all with one, and omissions are reported")
  void plain() throws Exception {
    Lease lease = process("one", PLAIN).lock("orders").acquire();
    server.call("SET", "order-of-python", "0b5ad3c8f2", "PX", "20000");
    server.call("SET", "user:1", "x");
    LockAdmin admin = admin(PLAIN);
    LockListing all = admin.list("*");
    assertEquals(List.of("orders"), names(all));
    assertTrue(saysBareKeys(all), () -> "" + all.omissions());
    LockListing some = admin.list("order*");
    assertEquals(List.of("order-of-python", "orders"), names(some));
    assertFalse(saysBareKeys(some));
    ListedHold foreign = hold(admin, "order-of-python");
    assertEquals("0b5ad…", foreign.holder());
    assertInstanceOf(
        BreakResult.NotPossible.class, admin.breakGently("order-of-python", foreign.id()));
    server.call("SET", "order-of-python", "another", "PX", "20000");
    assertInstanceOf(
        BreakResult.HeldByAnother.class, admin.breakLock("order-of-python", foreign.id()));
    assertInstanceOf(
        BreakResult.Broken.class,
        admin.breakLock("order-of-python", hold(admin, "order-of-python").id()));
    assertInstanceOf(
        BreakResult.Broken.class, admin.breakGently("orders", hold(admin, "orders").id()));
    assertEquals(HoldState.KEPT, hold(admin, "orders").state());
    assertFalse(lease.extend(Duration.ofSeconds(31)));
    assertInstanceOf(
        MaintainResult.Taken.class,
        admin.maintain("stock", "count", Instant.now().plusSeconds(60)));
    assertTrue(process("two", PLAIN).lock("stock").tryAcquire().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"yii2", "redis-objects", "millis", "seconds"})
  @DisplayName("Times of clients: by a pattern, with the remaining time")
  void timestamps(String scheme) throws Exception {
    String[] settings = {"lock.backend", "redis-setnx", "lock.redis-setnx.scheme", scheme};
    LockManager one = process("one", settings);
    LockAdmin admin = admin(settings); // the first one loads its code
    one.lock("orders").acquire();
    LockListing all = admin.list("*");
    assertEquals(List.of(), names(all));
    assertTrue(saysBareKeys(all));
    assertEquals(List.of("orders"), names(admin.list("ord*")));
    ListedHold hold = hold(admin, "orders");
    Duration left = hold.remaining().orElseThrow();
    assertTrue(left.toSeconds() >= 15 && left.toSeconds() <= 33, hold::toString);
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("orders", hold.id()));
    assertTrue(process("two", settings).lock("orders").tryAcquire().isPresent());
    assertInstanceOf(
        MaintainResult.NotPossible.class,
        admin.maintain("orders", "x", Instant.now().plusSeconds(9)));
  }

  @Test
  @DisplayName("Times with an owner: a renewal does not hide the hold that was seen")
  void ownedTimes() throws Exception {
    String[] settings = {
      "lock.backend", "redis-setnx", "lock.redis-setnx.scheme", "setnx-timestamp"
    };
    Lease lease = process("one", settings).lock("orders").acquire();
    LockAdmin admin = admin(settings);
    assertEquals(List.of("orders"), names(admin.list("*")));
    ListedHold seen = hold(admin, "orders");
    assertEquals("one", seen.holder());
    assertEquals(lease.fencingToken(), seen.fencingToken().orElseThrow());
    assertTrue(lease.extend(Duration.ofSeconds(60)));
    assertTrue(hold(admin, "orders").remaining().orElseThrow().toSeconds() > 50);
    assertInstanceOf(BreakResult.Broken.class, admin.breakLock("orders", seen.id()));
    assertFalse(lease.extend(Duration.ofSeconds(90)));
  }

  @Test
  @DisplayName("SETNX in a script has the keys of redis-set")
  void setnx() throws Exception {
    String[] settings = {"lock.backend", "redis-setnx"};
    Lease lease = process("one", settings).lock("orders").acquire();
    ListedHold seen = hold(admin(), "orders");
    assertEquals(lease.fencingToken(), seen.fencingToken().orElseThrow());
    assertInstanceOf(BreakResult.Broken.class, admin(settings).breakLock("orders", seen.id()));
    assertFalse(lease.extend(Duration.ofSeconds(31)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"lock.backend=memory", "lock.redis-set.mode=bare", "lock.redlock.nodes=x"})
  @DisplayName("A wrong setting is an error that names key and value")
  void wrong(String setting) {
    String[] both = setting.split("=", 2);
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> LockAdmin.open(LockSettings.of(Map.of(both[0], both[1]))));
    assertTrue(Stream.of(both).allMatch(e.getMessage()::contains), e::toString);
  }
}
