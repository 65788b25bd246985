package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.TTL;
import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The timestamp scheme")
class TimestampStoreTest {
  private static RedisServer server;
  private static RespConnection look;

  private final TurnedClock clock = TurnedClock.somewhen();
  private Ops store;
  private Ops other;

  @BeforeAll
  static void start() {
    server = RedisServers.start();
    look = server.connect();
  }

  @BeforeEach
  void open() {
    look.call("FLUSHALL");
    store = Ops.timestamp(server.uri(), clock);
    other = Ops.timestamp(server.uri(), clock);
  }

  @AfterEach
  void close() {
    store.close();
    other.close();
  }

  @AfterAll
  static void stop() {
    look.close();
    server.close();
  }

  private static Optional<Object> value() {
    return look.call("GET", "lh:{a}");
  }

  private static long changes() {
    return look.text("INFO", "persistence")
        .lines()
        .filter(line -> line.startsWith("rdb_changes_since_last_save:"))
        .mapToLong(line -> Long.parseLong(line.split(":")[1].strip()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("stores the end in milliseconds and the token, and a time to live far beyond it")
  void stored() {
    LeaseKey mine = key("a");
    Granted granted = assertInstanceOf(Granted.class, store.acquire(mine));
    assertEquals(TTL, granted.ttl());
    // 0.654321 s is rounded up to 0.655 s, so that the lease is never shorter than granted.
    assertEquals(Optional.of("1700000010655:" + mine.token()), value());
    long ttl = look.number("PTTL", "lh:{a}");
    assertTrue(ttl > Duration.ofHours(23).toMillis(), () -> "time to live " + ttl);
    assertEquals(Optional.of("1700000000654321"), look.call("GET", "lh:{a}:fence"));
    assertTrue(look.number("PTTL", "lh:{a}:fence") > 0);
    assertEquals(2L, look.number("DBSIZE"));
    assertEquals(
        Optional.of(
            new StoredLease(mine.token(), Duration.ofNanos(10_000_679_000L), granted.fence())),
        store.inspect("a"));
    assertEquals(ReleaseResult.RELEASED, store.release(mine));
    assertEquals(Optional.empty(), value());
    assertEquals(Optional.empty(), store.inspect("a"));
  }

  @Test
  @DisplayName("promises owner and fence, and nothing that a clock could break")
  void guarantees() {
    assertEquals(
        Set.of(Guarantee.OWNED, Guarantee.FENCING, Guarantee.MINIMUM_HOLD),
        store.store().guarantees());
  }

  @Test
  @DisplayName("a refused attempt returns the time left and writes nothing")
  void refused() {
    store.takes(key("a"));
    clock.pass(Duration.ofSeconds(4));
    long before = changes();
    assertEquals(Duration.ofNanos(6_000_679_000L), other.retryAfter(key("a")));
    assertEquals(before, changes());
  }

  @Test
  @DisplayName("a token that has the lock is granted again, keeps its fence, is never shortened")
  void again() {
    LeaseKey mine = key("a");
    long fence = store.fence(mine);
    Object first = value().orElseThrow();
    assertInstanceOf(Granted.class, store.acquire(mine, TTL.dividedBy(2)));
    assertEquals(first, value().orElseThrow());
    clock.pass(Duration.ofSeconds(3));
    assertEquals(fence, other.fence(mine));
    assertEquals(Optional.of("1700000013655:" + mine.token()), value());
  }

  @Test
  @DisplayName("an expired lease is taken over, in the very millisecond, with a larger fence")
  void takenOver() {
    LeaseKey late = key("a");
    LeaseKey next = key("a");
    long fence = store.fence(late);
    clock.set(1_700_000_010_654_999L);
    assertEquals(Duration.ofNanos(1000), other.retryAfter(next));
    clock.set(1_700_000_010_655_000L);
    assertEquals(Optional.empty(), store.inspect("a"));
    assertTrue(other.fence(next) > fence);
    assertTrue(value().orElseThrow().toString().endsWith(next.token()));
    assertTrue(look.number("PTTL", "lh:{a}") > 0);
  }

  @Test
  @DisplayName("fences increase although the clock goes back")
  void fencesIncrease() {
    LeaseKey first = key("a");
    long fence = store.fence(first);
    store.release(first);
    clock.pass(Duration.ofHours(-2));
    assertEquals(fence + 1, other.fence(key("a")));
  }

  @Test
  @DisplayName("a late holder's renewal and release are refused, and the successor untouched")
  void lateHolder() {
    LeaseKey late = key("a");
    LeaseKey next = key("a");
    store.takes(late);
    clock.pass(TTL.plusMillis(1));
    assertTrue(other.takes(next));
    Object successors = value().orElseThrow();
    long before = changes();
    assertEquals(RenewResult.NOT_OWNER, store.renew(late, TTL));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(late));
    assertEquals(successors, value().orElseThrow());
    assertEquals(before, changes());
    assertEquals(ReleaseResult.RELEASED, other.release(next));
  }

  @Test
  @DisplayName(
      "an expired lease is not renewed; a late release cleans up and reports that it is" + " late")
  void ownButOver() {
    LeaseKey late = key("a");
    store.takes(late);
    clock.pass(TTL.plusMillis(1));
    Object mine = value().orElseThrow();
    assertEquals(RenewResult.NOT_OWNER, store.renew(late, TTL));
    assertEquals(mine, value().orElseThrow());
    assertEquals(ReleaseResult.NOT_OWNER, store.release(late));
    assertEquals(Optional.empty(), value());
  }

  @Test
  @DisplayName("renewal prolongs and never shortens")
  void renewal() {
    LeaseKey mine = key("a");
    store.takes(mine);
    assertEquals(RenewResult.RENEWED, store.renew(mine, TTL.multipliedBy(2)));
    assertEquals(Optional.of("1700000020655:" + mine.token()), value());
    assertEquals(RenewResult.RENEWED, store.renew(mine, TTL));
    assertEquals(Optional.of("1700000020655:" + mine.token()), value());
    assertEquals(RenewResult.NOT_OWNER, store.renew(key("a"), TTL));
  }

  @Test
  @DisplayName("a value of another scheme is refused by key and value, and left alone")
  void strangeValue() {
    look.call("SET", "lh:{a}", "app:0123456789012345678901", "PX", "30000");
    LockStoreException refused =
        assertThrows(LockStoreException.class, () -> store.acquire(key("a")));
    assertEquals(Kind.REFUSED, refused.kind());
    assertEquals(
        "Could not acquire lock 'a': the key 'lh:{a}' holds 'app:0123456789012345678901', which is"
            + " not '<end in ms>:<label>:<secret>'; do clients of another scheme use it?",
        refused.getMessage());
    assertEquals(ReleaseResult.NOT_OWNER, store.release(key("a")));
    assertEquals(RenewResult.NOT_OWNER, store.renew(key("a"), TTL));
    assertEquals(Optional.of("app:0123456789012345678901"), value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"42:AAAAAAAAAAAAAAAAAAAAAA", "123456789012:AAAAAAAAAAAAAAAAAAAAAA."})
  @DisplayName("so is a script's token whose label is a number: it is no time in the past")
  void numberAsLabel(String token) {
    look.call("SET", "lh:{a}", token, "PX", "30000");
    long before = changes();
    LockStoreException refused =
        assertThrows(LockStoreException.class, () -> store.acquire(key("a")));
    assertEquals(Kind.REFUSED, refused.kind());
    assertTrue(refused.getMessage().contains(token), refused::getMessage);
    assertThrows(LockStoreException.class, () -> store.inspect("a"));
    assertEquals(ReleaseResult.NOT_OWNER, store.release(key("a")));
    assertEquals(before, changes());
    assertEquals(Optional.of(token), value());
  }

  @Test
  @DisplayName("a fence that is none is refused, and the lock not taken")
  void strangeFence() {
    look.call("SET", "lh:{a}:fence", "many");
    LockStoreException refused =
        assertThrows(LockStoreException.class, () -> store.acquire(key("a")));
    assertEquals(Kind.REFUSED, refused.kind());
    assertTrue(refused.getMessage().contains("'lh:{a}:fence' holds 'many'"), refused::getMessage);
    assertEquals(Optional.empty(), value());
  }

  @Test
  @DisplayName("a value that ends in 30 000 years is held for long, not over and over for no time")
  void farAway() {
    look.call("SET", "lh:{a}", "999999999999999:app:0123456789012345678901");
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertEquals(longest, store.retryAfter(key("a")));
    assertEquals(longest, store.inspect("a").orElseThrow().remaining());
  }

  @Test
  @DisplayName("a clock beyond the largest token acquires no lock, and leaves no fence behind")
  void farClock() {
    clock.set(1L << 53);
    LockStoreException refused =
        assertThrows(LockStoreException.class, () -> store.acquire(key("a")));
    assertEquals(Kind.REFUSED, refused.kind());
    assertTrue(refused.getMessage().contains("clock"), refused::getMessage);
    assertEquals(Optional.empty(), value());
    assertEquals(Optional.empty(), look.call("GET", "lh:{a}:fence"));
  }

  @Test
  @DisplayName("works for a user without permission for scripts, by the server's clock")
  void withoutScripts() {
    ServerOptions options =
        ServerOptions.defaults().withUser("app", "secret", "~lh:*", "+@all", "-@scripting");
    try (RedisServer strict = RedisServers.start(options);
        RespConnection admin = strict.connect()) {
      String uri = strict.uri().replace("redis://", "redis://app:secret@");
      try (RespConnection app = strict.connect()) {
        app.call("AUTH", "app", "secret");
        RespConnection.ServerError no =
            assertThrows(RespConnection.ServerError.class, () -> app.call("EVAL", "return 1", "0"));
        assertEquals("NOPERM", no.code());
      }
      String[] scheme = {"lock.redis-setnx.scheme", "setnx-timestamp"};
      try (Ops first = Ops.open(uri, scheme);
          Ops second = Ops.open(uri, scheme)) {
        LeaseKey mine = key("a");
        LeaseKey next = key("a");
        Granted granted =
            assertInstanceOf(Granted.class, first.acquire(mine, Duration.ofMillis(150)));
        assertEquals(RenewResult.RENEWED, first.renew(mine, Duration.ofMillis(200)));
        Await.until("it is over", () -> second.takes(next));
        assertTrue(second.fence(next) > granted.fence().orElseThrow());
        assertEquals(ReleaseResult.NOT_OWNER, first.release(mine));
        assertEquals(Optional.of(next.token()), first.inspect("a").map(StoredLease::token));
        assertEquals(ReleaseResult.RELEASED, second.release(next));
      }
      assertEquals(0L, scriptCalls(admin), "scripts that were run");
    }
  }

  private static long scriptCalls(RespConnection admin) {
    return admin
        .text("INFO", "commandstats")
        .lines()
        .filter(line -> line.matches("cmdstat_(eval|evalsha|script|fcall|function)[:|].*"))
        .filter(line -> !line.contains("calls=0,"))
        .count();
  }

  @ParameterizedTest
  @EnumSource(names = "SETNX_SCRIPT", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("needs no more than the commands that the ACL's page names, and so do the formats")
  void fewCommands(SetnxScheme scheme) {
    // All of CLIENT: Redis 7.0 refuses to start with a rule for SETINFO, which it does not know.
    String commands =
        "+hello +ping +info +client +get +pttl +time +watch +unwatch"
            + " +multi +exec +setnx +set +pexpire +del";
    List<String> rules = new ArrayList<>(List.of("~lh:*", "~a", "-@all"));
    rules.addAll(List.of(commands.split(" ")));
    ServerOptions options =
        ServerOptions.defaults().withUser("app", "secret", rules.toArray(String[]::new));
    try (RedisServer strict = RedisServers.start(options);
        Ops some =
            Ops.open(
                strict.uri().replace("redis://", "redis://app:secret@"),
                "lock.redis-setnx.scheme",
                RedisSettings.id(scheme))) {
      LeaseKey mine = key("a");
      assertTrue(some.takes(mine));
      assertInstanceOf(Held.class, some.acquire(key("a")));
      assertTrue(some.inspect("a").isPresent());
      assertEquals(RenewResult.RENEWED, some.renew(mine, TTL.multipliedBy(2)));
      assertEquals(ReleaseResult.RELEASED, some.release(mine));
      assertEquals(List.of(), strict.call("ACL", "LOG").orElseThrow());
    }
  }

  @Test
  @DisplayName("with the local clock, the server is never asked for its time")
  void localClock() {
    ServerOptions options =
        ServerOptions.defaults()
            .withUser("app", "secret", "~lh:*", "+@all", "-@scripting", "-time");
    try (RedisServer strict = RedisServers.start(options)) {
      String uri = strict.uri().replace("redis://", "redis://app:secret@");
      String[] local = {
        "lock.redis-setnx.scheme", "setnx-timestamp", "lock.redis-setnx.clock", "local"
      };
      try (Ops mine = Ops.open(uri, local);
          Ops byServer = Ops.open(uri, local[0], local[1])) {
        LeaseKey key = key("a");
        assertTrue(mine.takes(key));
        OptionalLong fence = mine.inspect("a").orElseThrow().fence();
        long now = System.currentTimeMillis() * 1000;
        assertTrue(Math.abs(fence.orElseThrow() - now) < 60_000_000L, fence::toString);
        assertEquals(RenewResult.RENEWED, mine.renew(key, TTL.multipliedBy(2)));
        assertEquals(ReleaseResult.RELEASED, mine.release(key));
        LockStoreException refused =
            assertThrows(LockStoreException.class, () -> byServer.acquire(key("a")));
        assertTrue(refused.getMessage().contains("NOPERM"), refused::getMessage);
      }
    }
  }
}
