package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.TTL;
import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two at the same lock, in an order that the proxy forces. */
@DisplayName("The timestamp scheme, with another in between")
class TimestampRaceTest {
  private static final CommandMatch WATCH = CommandMatch.named("WATCH");
  private static final CommandMatch MULTI = CommandMatch.named("MULTI");
  private static final CommandMatch EXEC = CommandMatch.named("EXEC");

  private final TurnedClock clock = TurnedClock.somewhen();
  private RedisServer server;
  private RespConnection look;
  private RespProxy proxy;
  private Ops slow;
  private Ops quick;

  @BeforeEach
  void open() {
    server = RedisServers.start();
    look = server.connect();
    proxy = RespProxy.inFrontOf(server);
    slow = Ops.timestamp(proxy.uri(), clock);
    quick = Ops.timestamp(server.uri(), clock);
  }

  @AfterEach
  void close() {
    proxy.clear();
    slow.close();
    quick.close();
    proxy.close();
    look.close();
    server.close();
  }

  private Optional<Object> value() {
    return look.call("GET", "lh:{a}");
  }

  /** Runs something up to a command, which waits in the proxy until the other is done. */
  private <T> CompletableFuture<T> held(CommandMatch at, Supplier<T> work, Runnable meanwhile) {
    try (ActiveFault hold = proxy.next(1, at, CommandFault.holdRequest())) {
      CompletableFuture<T> result = CompletableFuture.supplyAsync(work);
      Await.until("it is held", () -> hold.hits() > 0);
      meanwhile.run();
      return result;
    }
  }

  private void leaveOneThatIsOver() {
    quick.takes(key("a"));
    clock.pass(TTL.plusMillis(1));
  }

  @Test
  @DisplayName("two see the same end in the past: one takes over, and the other erases nothing")
  void bothSeeItOver() {
    leaveOneThatIsOver();
    LeaseKey loser = key("a");
    LeaseKey winner = key("a");
    CompletableFuture<AcquireResult> losing =
        held(MULTI, () -> slow.acquire(loser), () -> assertTrue(quick.takes(winner)));
    assertInstanceOf(Held.class, Await.value(losing));
    assertTrue(value().orElseThrow().toString().endsWith(winner.token()));
    assertEquals(RenewResult.RENEWED, quick.renew(winner, TTL.multipliedBy(2)));
    assertEquals(ReleaseResult.RELEASED, quick.release(winner));
  }

  @Test
  @DisplayName("... where the pattern's GETSET in the same order has the loser erase the winner")
  void whatGetsetDoes() {
    ForeignLock loser =
        new ForeignLock.Millis(RespConnection.to(proxy.host(), proxy.port(), TTL), "b", clock);
    ForeignLock winner = new ForeignLock.Millis(server.connect(), "b", clock);
    try (loser;
        winner) {
      winner.tryLock(TTL);
      clock.pass(TTL.plusMillis(2));
      CompletableFuture<Boolean> losing =
          held(
              CommandMatch.named("GETSET"),
              () -> loser.tryLock(TTL.multipliedBy(2)),
              () -> assertTrue(winner.tryLock(TTL)));
      assertEquals(false, Await.value(losing));
      Object winners = Long.toString(clock.micros() / 1000 + TTL.toMillis());
      assertNotEquals(Optional.of(winners), look.call("GET", "b"), "what the winner wrote");
    }
  }

  @Test
  @DisplayName("two find it free: one takes it, and the other is refused")
  void bothSeeItFree() {
    LeaseKey loser = key("a");
    LeaseKey winner = key("a");
    CompletableFuture<AcquireResult> losing =
        held(EXEC, () -> slow.acquire(loser), () -> assertTrue(quick.takes(winner)));
    assertInstanceOf(Held.class, Await.value(losing));
    assertEquals(ReleaseResult.RELEASED, quick.release(winner));
  }

  @Test
  @DisplayName("a release on its way while a successor takes over leaves the successor alone")
  void releaseBetweenCheckAndDelete() {
    LeaseKey late = key("a");
    LeaseKey next = key("a");
    assertTrue(slow.takes(late));
    CompletableFuture<ReleaseResult> releasing =
        held(
            MULTI,
            () -> slow.release(late),
            () -> {
              clock.pass(TTL.plusMillis(1));
              assertTrue(quick.takes(next));
            });
    assertEquals(ReleaseResult.NOT_OWNER, Await.value(releasing));
    assertEquals(ReleaseResult.RELEASED, quick.release(next));
  }

  @Test
  @DisplayName("a renewal on its way while a successor takes over leaves the successor alone")
  void renewalBetweenCheckAndWrite() {
    LeaseKey late = key("a");
    LeaseKey next = key("a");
    assertTrue(slow.takes(late));
    CompletableFuture<RenewResult> renewing =
        held(
            MULTI,
            () -> slow.renew(late, TTL.multipliedBy(9)),
            () -> {
              clock.pass(TTL.plusMillis(1));
              assertTrue(quick.takes(next));
            });
    assertEquals(RenewResult.NOT_OWNER, Await.value(renewing));
    assertEquals(ReleaseResult.RELEASED, quick.release(next));
  }

  @Test
  @DisplayName("a grant whose answer is lost is granted again, with its fence, and released once")
  void lostAnswer() {
    LeaseKey mine = key("a");
    proxy.next(1, EXEC, CommandFault.cutAfter());
    assertThrows(LockStoreException.class, () -> slow.acquire(mine));
    assertInstanceOf(Held.class, quick.acquire(key("a")));
    long fence = Long.parseLong(look.text("GET", "lh:{a}:fence"));
    clock.pass(Duration.ofSeconds(1));
    assertEquals(fence, slow.fence(mine));
    assertEquals(ReleaseResult.RELEASED, slow.release(mine));
    assertEquals(Optional.empty(), value());
  }

  @Test
  @DisplayName("a release withdraws an acquisition that has not written yet")
  void withdrawnBeforeWriting() {
    LeaseKey mine = key("a");
    CompletableFuture<AcquireResult> asking =
        held(
            WATCH,
            () -> slow.acquire(mine),
            () -> assertEquals(ReleaseResult.NOT_OWNER, slow.release(mine)));
    assertThrows(LockStoreException.class, () -> Await.value(asking));
    assertEquals(Optional.empty(), value());
  }

  @Test
  @DisplayName("a release voids an acquisition that the server has not read yet")
  void withdrawnOnItsWay() {
    LeaseKey mine = key("a");
    CompletableFuture<AcquireResult> asking =
        held(
            EXEC,
            () -> slow.acquire(mine),
            () -> assertEquals(ReleaseResult.NOT_OWNER, slow.release(mine)));
    assertThrows(LockStoreException.class, () -> Await.value(asking));
    assertEquals(Optional.empty(), value());
    assertTrue(quick.takes(key("a")));
  }

  @Test
  @DisplayName("so it is although the fence was there, and for a lock that is taken over")
  void withdrawnTakeOver() {
    leaveOneThatIsOver();
    Object before = value().orElseThrow();
    LeaseKey mine = key("a");
    CompletableFuture<AcquireResult> asking =
        held(
            EXEC,
            () -> slow.acquire(mine),
            () -> assertEquals(ReleaseResult.NOT_OWNER, slow.release(mine)));
    assertThrows(LockStoreException.class, () -> Await.value(asking));
    assertEquals(before, value().orElseThrow());
    assertInstanceOf(Granted.class, quick.acquire(key("a")));
  }
}
