package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One key, one of ours and a client that is not ours, both by a clock that the test turns. */
@DisplayName("Locks shared with clients that are not ours")
class ForeignFormatTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Longer than any format rounds up. */
  private static final Duration OVER = LEASE.plusSeconds(3);

  private static RedisServer server;
  private static RespConnection look;

  private final TurnedClock clock = TurnedClock.somewhen();

  /** Clients, and the format that they have in common with us. */
  enum Client {
    YII2(TimestampFormat.YII2) {
      @Override
      ForeignLock on(RespConnection connection, String key, TurnedClock clock) {
        return new ForeignLock.Yii2(connection, key, clock);
      }
    },
    OLD_RUBY(TimestampFormat.REDIS_OBJECTS) {
      @Override
      ForeignLock on(RespConnection connection, String key, TurnedClock clock) {
        return new ForeignLock.OldRuby(connection, key, clock);
      }
    },
    NEW_RUBY(TimestampFormat.REDIS_OBJECTS) {
      @Override
      ForeignLock on(RespConnection connection, String key, TurnedClock clock) {
        return new ForeignLock.NewRuby(connection, key, clock);
      }
    },
    MILLIS(TimestampFormat.MILLIS) {
      @Override
      ForeignLock on(RespConnection connection, String key, TurnedClock clock) {
        return new ForeignLock.Millis(connection, key, clock);
      }
    },
    SECONDS(TimestampFormat.SECONDS) {
      @Override
      ForeignLock on(RespConnection connection, String key, TurnedClock clock) {
        return new ForeignLock.Seconds(connection, key, clock);
      }
    };

    final TimestampFormat format;

    Client(TimestampFormat format) {
      this.format = format;
    }

    abstract ForeignLock on(RespConnection connection, String key, TurnedClock clock);

    ForeignLock on(String key, TurnedClock clock) {
      return on(server.connect(), key, clock);
    }
  }

  @BeforeAll
  static void start() {
    server = RedisServers.start();
    look = server.connect();
  }

  @BeforeEach
  void empty() {
    look.call("FLUSHALL");
  }

  @AfterAll
  static void stop() {
    look.close();
    server.close();
  }

  private Ops ours(Client client) {
    return Ops.format(server.uri(), clock, client.format);
  }

  private static Optional<Object> value() {
    return look.call("GET", "a");
  }

  // ---- each side holds ----

  @ParameterizedTest
  @EnumSource
  @DisplayName("while the other holds it we are refused, write nothing, and get it afterwards")
  void theyHold(Client client) {
    try (Ops ours = ours(client);
        ForeignLock theirs = client.on("a", clock)) {
      assertTrue(theirs.tryLock(LEASE));
      Object stored = value().orElseThrow();
      for (int i = 0; i < 3; i++) {
        Duration retry = assertInstanceOf(Held.class, ours.acquire(key("a"), LEASE)).retryAfter();
        assertTrue(retry.compareTo(OVER) <= 0 && !retry.isNegative(), retry::toString);
        clock.pass(Duration.ofSeconds(3));
      }
      assertEquals(stored, value().orElseThrow());
      theirs.unlock();
      LeaseKey mine = key("a");
      assertInstanceOf(Granted.class, ours.acquire(mine, LEASE));
      assertEquals(ReleaseResult.RELEASED, ours.release(mine));
      assertEquals(Optional.empty(), value());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("while we hold it the other is refused, also after renewals, and gets it afterwards")
  void weHold(Client client) {
    try (Ops ours = ours(client);
        ForeignLock theirs = client.on("a", clock)) {
      LeaseKey mine = key("a");
      Granted granted = assertInstanceOf(Granted.class, ours.acquire(mine, LEASE));
      assertEquals(LEASE, granted.ttl());
      assertTrue(granted.fence().isEmpty());
      for (int i = 0; i < 4; i++) {
        clock.pass(LEASE.minusMillis(1));
        assertFalse(theirs.tryLock(LEASE));
        assertEquals(RenewResult.RENEWED, ours.renew(mine, LEASE));
      }
      assertEquals(ReleaseResult.RELEASED, ours.release(mine));
      assertTrue(theirs.tryLock(LEASE));
      theirs.unlock();
      assertEquals(1L, look.number("SETNX", "a", "nothing is left"));
    }
  }

  // ---- each side takes over ----

  @ParameterizedTest
  @EnumSource
  @DisplayName("we take over what the other left behind")
  void weTakeOver(Client client) {
    try (Ops ours = ours(client);
        ForeignLock theirs = client.on("a", clock)) {
      assertTrue(theirs.tryLock(client == Client.NEW_RUBY ? Duration.ofMillis(50) : LEASE));
      clock.pass(OVER);
      if (client == Client.NEW_RUBY) { // its lease is the server's to end
        Await.until("it is over", () -> value().isEmpty());
      }
      LeaseKey mine = key("a");
      assertInstanceOf(Granted.class, ours.acquire(mine, LEASE));
      Object stored = value().orElseThrow();
      if (client != Client.YII2) { // which deletes whatever is there
        theirs.unlock();
        assertEquals(stored, value().orElseThrow());
      }
      assertFalse(theirs.tryLock(LEASE));
      assertEquals(ReleaseResult.RELEASED, ours.release(mine));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the other takes over what we left behind; our late renewal and release do nothing")
  void theyTakeOver(Client client) {
    try (Ops ours = ours(client);
        ForeignLock theirs = client.on("a", clock)) {
      LeaseKey late = key("a");
      assertInstanceOf(Granted.class, ours.acquire(late, LEASE));
      clock.pass(OVER);
      assertTrue(theirs.tryLock(LEASE));
      Object stored = value().orElseThrow();
      assertEquals(RenewResult.NOT_OWNER, ours.renew(late, LEASE));
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(late));
      assertEquals(stored, value().orElseThrow());
      assertInstanceOf(Held.class, ours.acquire(key("a"), LEASE));
      theirs.unlock();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("one that is over is not renewed, and its late release is not sent")
  void lateAlone(Client client) {
    try (Ops ours = ours(client)) {
      LeaseKey late = key("a");
      assertInstanceOf(Granted.class, ours.acquire(late, LEASE));
      Object stored = value().orElseThrow();
      clock.pass(OVER);
      assertEquals(Optional.empty(), ours.inspect("a"));
      assertEquals(RenewResult.NOT_OWNER, ours.renew(late, LEASE));
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(late));
      assertEquals(stored, value().orElseThrow());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NEW_RUBY", mode = EnumSource.Mode.EXCLUDE) // which has no such look
  @DisplayName(
      "we take over between the other's look and its GETSET: it knows it lost, and we notice")
  void loserOverwrites(Client client) {
    try (Ops ours = ours(client);
        ForeignLock gone = client.on("a", clock);
        ForeignLock theirs = client.on("a", clock)) {
      gone.tryLock(LEASE);
      clock.pass(OVER);
      LeaseKey mine = key("a");
      theirs.beforeTakeOver(
          () -> assertInstanceOf(Granted.class, ours.acquire(mine, LEASE.multipliedBy(2))));
      assertFalse(theirs.tryLock(LEASE));
      // It has put its own time over ours, as such clients do to one another.
      assertEquals(RenewResult.NOT_OWNER, ours.renew(mine, LEASE));
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(mine));
    }
  }

  // ---- bit for bit ----

  @ParameterizedTest
  @EnumSource(names = "NEW_RUBY", mode = EnumSource.Mode.EXCLUDE) // we write what the old one does
  @DisplayName("at the same moment we write what the other writes, to the last digit")
  void sameValue(Client client) {
    try (Ops ours = ours(client);
        ForeignLock theirs = client.on("theirs", clock)) {
      for (long offset : List.of(0L, 1L, 500_000L, 999_000L, 999_999L, 123_456L, 100_000L)) {
        clock.set(1_700_000_000_000_000L + offset);
        LeaseKey mine = key("a");
        assertInstanceOf(Granted.class, ours.acquire(mine, LEASE));
        assertTrue(theirs.tryLock(LEASE));
        assertEquals(look.call("GET", "theirs"), value(), () -> "at " + offset + " us");
        // Where they know keys with an end, ours end a millisecond after their values.
        long ends = LEASE.plusMillis(1001).toMillis();
        long left = look.number("PTTL", "a");
        assertTrue(
            client.format == TimestampFormat.REDIS_OBJECTS
                ? left > ends - 5000 && left <= ends
                : left == -1,
            () -> "ends in " + left);
        theirs.unlock();
        ours.release(mine);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("we take over at the very moment when the other would, and not before")
  void sameJudgement(Client client) {
    List<Long> moments =
        List.of(-1_000_000L, -1000L, -1L, 0L, 1L, 999L, 1000L, 999_999L, 1_000_000L, 1_000_001L);
    for (long end : List.of(1_700_000_000_000_000L, 1_700_000_000_250_000L)) {
      String stored =
          switch (client.format) {
            case YII2, SECONDS -> Long.toString(end / 1_000_000);
            case MILLIS -> Long.toString(end / 1000);
            case REDIS_OBJECTS -> end % 1_000_000 == 0 ? "1700000000.0" : "1700000000.25";
          };
      for (long moment : moments) {
        clock.set(end + moment);
        look.call("SET", "a", stored);
        look.call("SET", "theirs", stored);
        try (Ops ours = ours(client);
            ForeignLock theirs = client.on("theirs", clock)) {
          assertEquals(
              theirs.tryLock(LEASE),
              ours.acquire(key("a"), LEASE) instanceof Granted,
              () -> stored + " at " + moment + " us from it");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a lock that ends in 3000 years is held for long, not over and over for no time")
  void farAway(Client client) {
    try (Ops ours = ours(client)) {
      look.call(
          "SET", "a", client.format == TimestampFormat.MILLIS ? "99999999998000" : "99999999998");
      Duration longest = Duration.ofNanos(Long.MAX_VALUE);
      assertEquals(longest, ours.retryAfter(key("a")));
      assertEquals(longest, ours.inspect("a").orElseThrow().remaining());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the name of the marker of a quorum's node is refused")
  void marker(Client client) {
    try (Ops ours = ours(client)) {
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> ours.acquire(key("lh:node"), LEASE));
      assertEquals(LockStoreException.Kind.REFUSED, e.kind());
      assertEquals(Optional.of(0L), look.call("EXISTS", "lh:node"));
    }
  }

  // ---- what only one of them has ----

  @Test
  @DisplayName("Yii2: its check for existence deletes a lock of ours that is over, and no other")
  void yii2Exists() {
    try (Ops ours = ours(Client.YII2);
        ForeignLock.Yii2 theirs = new ForeignLock.Yii2(server.connect(), "a", clock)) {
      LeaseKey mine = key("a");
      ours.acquire(mine, LEASE);
      assertTrue(theirs.exists());
      clock.pass(OVER);
      assertFalse(theirs.exists());
      assertEquals(Optional.empty(), value());
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(mine));
    }
  }

  @Test
  @DisplayName("Yii2: its unlock frees whatever is there, and our renewal notices")
  void yii2LateUnlock() {
    try (Ops ours = ours(Client.YII2);
        ForeignLock late = Client.YII2.on("a", clock)) {
      late.tryLock(LEASE);
      clock.pass(OVER);
      LeaseKey mine = key("a");
      ours.acquire(mine, LEASE);
      late.unlock();
      assertEquals(RenewResult.NOT_OWNER, ours.renew(mine, LEASE));
    }
  }

  @Test
  @DisplayName(
      "redis-objects: an empty value is held for its time to live, also by our clock's end")
  void newRubyHolds() {
    try (Ops ours = ours(Client.NEW_RUBY)) {
      look.call("SET", "a", "", "PX", "60000");
      clock.pass(Duration.ofDays(1));
      assertInstanceOf(Held.class, ours.acquire(key("a"), LEASE));
      StoredLease held = ours.inspect("a").orElseThrow();
      assertEquals("", held.token());
      assertTrue(held.remaining().compareTo(Duration.ofSeconds(60)) <= 0, held::toString);
      assertTrue(held.remaining().compareTo(Duration.ofSeconds(30)) >= 0, held::toString);
      assertEquals(Optional.of(""), value());
    }
  }

  @Test
  @DisplayName("redis-objects: '1', of a client without expiration, is held until it is deleted")
  void endless() {
    try (Ops ours = ours(Client.OLD_RUBY)) {
      look.call("SET", "a", "1");
      assertInstanceOf(Held.class, ours.acquire(key("a"), LEASE));
      assertTrue(ours.inspect("a").orElseThrow().remaining().compareTo(Duration.ofDays(365)) > 0);
      look.call("DEL", "a");
      assertInstanceOf(Granted.class, ours.acquire(key("a"), LEASE));
    }
  }
}
