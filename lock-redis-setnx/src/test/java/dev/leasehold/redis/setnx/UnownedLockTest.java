package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static java.nio.charset.StandardCharsets.UTF_8;
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
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ours among themselves: what a store counts as its own where no value shows it. */
@DisplayName("Locks in a foreign format, and what their keys reveal")
class UnownedLockTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Longer than any format rounds up. */
  private static final Duration OVER = LEASE.plusSeconds(3);

  private static RedisServer server;
  private static RespConnection look;

  private final TurnedClock clock = TurnedClock.somewhen();

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

  private static Optional<Object> value() {
    return look.call("GET", "a");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("no guarantee is declared but the minimum hold")
  void guarantees(TimestampFormat format) {
    try (Ops ours = Ops.format(server.uri(), clock, format)) {
      assertEquals(Set.of(Guarantee.MINIMUM_HOLD), ours.store().guarantees());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a token whose grant is known is granted again, and never shortened")
  void again(TimestampFormat format) {
    try (Ops ours = Ops.format(server.uri(), clock, format);
        Ops other = Ops.format(server.uri(), clock, format)) {
      LeaseKey mine = key("a");
      assertInstanceOf(Granted.class, ours.acquire(mine, LEASE));
      Object stored = value().orElseThrow();
      assertInstanceOf(Granted.class, ours.acquire(mine, LEASE.dividedBy(2)));
      assertEquals(stored, value().orElseThrow());
      assertEquals(RenewResult.RENEWED, ours.renew(mine, LEASE.dividedBy(2)));
      assertEquals(stored, value().orElseThrow());
      // Another process can't know whose it is, whatever token it has.
      assertInstanceOf(Held.class, other.acquire(mine, LEASE));
      assertEquals(ReleaseResult.NOT_OWNER, other.release(mine));
      assertEquals(RenewResult.NOT_OWNER, other.renew(mine, LEASE));
      assertEquals(stored, value().orElseThrow());
      assertEquals(ReleaseResult.RELEASED, ours.release(mine));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("if the answer to a write was lost, the value found is not ours")
  void unknownOutcome(TimestampFormat format) {
    CommandMatch exec = CommandMatch.named("EXEC");
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Ops ours = Ops.format(proxy.uri(), clock, format)) {
      LeaseKey mine = key("a");
      proxy.next(1, exec, CommandFault.cutAfter());
      assertThrows(LockStoreException.class, () -> ours.acquire(mine, LEASE));
      Object stored = value().orElseThrow();
      assertInstanceOf(Held.class, ours.acquire(mine, LEASE));
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(mine));
      assertEquals(stored, value().orElseThrow());
      clock.pass(OVER);
      assertInstanceOf(Granted.class, ours.acquire(mine, LEASE), "what is over is free");

      clock.pass(Duration.ofSeconds(2));
      proxy.next(1, exec, CommandFault.cutAfter());
      assertThrows(LockStoreException.class, () -> ours.renew(mine, LEASE));
      assertEquals(RenewResult.NOT_OWNER, ours.renew(mine, LEASE));
      clock.pass(OVER);

      LeaseKey next = key("a");
      assertInstanceOf(Granted.class, ours.acquire(next, LEASE));
      proxy.next(1, exec, CommandFault.cutAfter());
      assertThrows(LockStoreException.class, () -> ours.release(next));
      look.call("SET", "a", new String(format.write(clock.micros(), LEASE), UTF_8));
      assertEquals(ReleaseResult.NOT_OWNER, ours.release(next), "another's of the same second");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("an acquisition that is given up while it writes does not write any more")
  void givenUp(TimestampFormat format) {
    for (String at : List.of("WATCH", "EXEC")) {
      try (RespProxy proxy = RespProxy.inFrontOf(server);
          Ops ours = Ops.format(proxy.uri(), clock, format)) {
        LeaseKey mine = key("a");
        CompletableFuture<Object> asking;
        try (ActiveFault hold = proxy.next(1, CommandMatch.named(at), CommandFault.holdRequest())) {
          asking = CompletableFuture.supplyAsync(() -> ours.acquire(mine, LEASE));
          Await.until("it is held", () -> hold.hits() > 0);
          assertEquals(ReleaseResult.NOT_OWNER, ours.release(mine));
        }
        assertThrows(LockStoreException.class, () -> Await.value(asking));
        assertEquals(Optional.empty(), value());
      }
    }
  }

  @Test
  @DisplayName("a written value is forgotten when its time is over, even without a release")
  void forgotten() {
    Written written = new Written();
    for (int i = 0; i < 10_000; i++) {
      written.put(key("a"), new byte[0], i, i);
    }
    assertTrue(written.size() < 200, () -> "remembers " + written.size());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a release that is refused can be sent again")
  void refusedRelease(TimestampFormat format) {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Ops ours = Ops.format(proxy.uri(), clock, format)) {
      LeaseKey mine = key("a");
      ours.acquire(mine, LEASE);
      proxy.next(1, CommandMatch.named("DEL"), CommandFault.refuse("READONLY can't write"));
      LockStoreException no = assertThrows(LockStoreException.class, () -> ours.release(mine));
      assertEquals(Kind.UNAVAILABLE, no.kind());
      assertEquals(ReleaseResult.RELEASED, ours.release(mine));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a value of another scheme is refused by key and value, and left alone")
  void strange(TimestampFormat format) {
    try (Ops ours = Ops.format(server.uri(), clock, format)) {
      look.call("SET", "a", "app:token");
      LockStoreException no =
          assertThrows(LockStoreException.class, () -> ours.acquire(key("a"), LEASE));
      assertEquals(Kind.REFUSED, no.kind());
      assertEquals(
          "Could not acquire lock 'a': the key 'a' holds 'app:token', which is not of format "
              + RedisSettings.id(format)
              + "; do clients of another scheme use it?",
          no.getMessage());
      assertEquals(Optional.of("app:token"), value());
    }
  }
}
