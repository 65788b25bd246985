package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RepliesTest {
  private static final Duration TTL = Duration.ofSeconds(30);

  @Test
  void acquire() {
    long fence = 1_795_000_000_000_000L;
    assertEquals(new Granted(OptionalLong.of(fence), TTL), Replies.acquire(fence, TTL));
    assertEquals(new Held(Duration.ofMillis(1234)), Replies.acquire(-1235L, TTL));
    assertEquals(new Held(Duration.ZERO), Replies.acquire(-1L, TTL));
    assertEquals(
        new Granted(OptionalLong.of(fence), 7, TTL), Replies.acquire(List.of(fence, 7L), TTL));
    assertEquals(new Granted(OptionalLong.empty(), TTL), Replies.withoutFence(1, TTL));
    assertEquals(new Held(Duration.ofMillis(7)), Replies.withoutFence(-8, TTL));
  }

  @Test
  void release() {
    assertEquals(ReleaseResult.NOT_OWNER, Replies.release(0));
    assertEquals(ReleaseResult.RELEASED, Replies.release(1));
    assertEquals(ReleaseResult.RELEASED_AND_WOKE, Replies.release(2));
  }

  @Test
  void renew() {
    assertEquals(RenewResult.RENEWED, Replies.renew(1L, LockKind.LOCK, "x"));
    assertEquals(RenewResult.NOT_OWNER, Replies.renew(0L, LockKind.LOCK, "x"));
    LockStoreException e =
        assertThrows(
            LockStoreException.class,
            () -> Replies.renew("WRONGTYPE it is".getBytes(UTF_8), LockKind.LOCK, "x"));
    assertTrue(e.getMessage().contains("WRONGTYPE it is"), e.getMessage());
  }

  @Test
  void inspect() {
    assertEquals(Optional.empty(), Replies.inspect(null));
    assertEquals(Optional.empty(), Replies.inspect(Collections.singletonList(null)));
    assertEquals(
        Optional.of(new StoredLease("t:1", Duration.ofMillis(5), OptionalLong.of(42))),
        Replies.inspect(List.of("t:1".getBytes(UTF_8), 5L, "42".getBytes(UTF_8))));
    assertEquals(
        OptionalLong.of(42),
        Replies.inspect(List.of("t:1".getBytes(UTF_8), 5L, "42+1000".getBytes(UTF_8)))
            .orElseThrow()
            .fence());
    StoredLease endless =
        Replies.inspect(Arrays.asList("foreign".getBytes(UTF_8), -1L, null)).orElseThrow();
    assertEquals(OptionalLong.empty(), endless.fence());
    assertTrue(endless.remaining().compareTo(Duration.ofDays(365)) > 0);
  }

  @Test
  void everyScriptIsThereWithItsHeader() {
    for (Script script : Script.values()) {
      String text = new String(script.body(), UTF_8);
      assertTrue(text.startsWith("-- "), script + " says what it does");
      assertTrue(
          text.contains("-- KEYS[") || text.contains("has no keys"),
          script + " documents its keys");
      assertTrue(text.contains("-- Reply:"), script + " documents its reply");
      assertEquals(40, script.sha().length);
    }
  }
}
