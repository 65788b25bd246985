package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.Tokens;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class InputTest {
  private static void refused(Executable call, String... parts) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), () -> message + " lacks " + part);
    }
  }

  @Test
  void namesOfOneTo512BytesOfValidUnicode() {
    assertEquals("a b{c}\n\0ü😀", LockNames.check("lock", "a b{c}\n\0ü😀"));
    LockNames.check("lock", "x".repeat(512));
    refused(() -> LockNames.check("lock", ""), "empty", "512");
    refused(() -> LockNames.check("lock", "ü".repeat(257)), "514", "512");
    refused(() -> LockNames.check("lock", "a\ud800"), "surrogate");
  }

  @Test
  void durationsAndCountsInRange() {
    refused(() -> LockOptions.fixed(Duration.ZERO), "0ms", "10ms");
    refused(() -> LockOptions.fixed(Duration.ofDays(366)), "366d", "365d");
    refused(() -> LockNames.checkWait(Duration.ofNanos(-1)), "-0.000001ms");
    refused(() -> LockNames.checkWait(Duration.ofSeconds(Long.MAX_VALUE)), "0ms", "106751d");
    refused(() -> new HandOver(1024, Duration.ZERO), "1024", "1023");
    refused(() -> new HandOver(1, Duration.ofNanos(-1)), "-0.000001ms", "0ms", "1h");
    refused(() -> new HandOver(1, Duration.ofMillis(3_600_001)), "3600001ms", "0ms", "1h");
    refused(() -> new HandOver(1, ChronoUnit.FOREVER.getDuration()), "0ms", "1h");
    refused(() -> WaitStrategy.every(Duration.ofMinutes(2)), "2m", "1m");
  }

  @Test
  void theDriftAllowanceIsAHundredthAndTwoMilliseconds() {
    assertEquals(
        Duration.ofSeconds(10).minusMillis(102).toNanos(),
        LeaseTimes.deadline(0, Duration.ofSeconds(10)));
  }

  /** What is asked for an extension leaves at least what was wanted, and hardly more. */
  @Test
  void anExtensionAllowsForDrift() {
    for (long millis : new long[] {1, 7, 10, 99, 1000, 30_000, 86_400_000}) {
      Duration wanted = Duration.ofMillis(millis);
      long left = LeaseTimes.deadline(0, LeaseTimes.ttlFor(wanted));
      assertTrue(left >= wanted.toNanos(), () -> wanted + " leaves " + left);
      assertTrue(left <= wanted.toNanos() + 3_000_000, () -> wanted + " leaves " + left);
    }
  }

  @Test
  void onlyTheLabelOfATokenIsShown() {
    Tokens tokens = new Tokens("4711-abcd", new java.security.SecureRandom());
    assertEquals("4711-abcd", Tokens.shown(tokens.fresh("a").token()));
    assertEquals("4711-abcd", Tokens.shown(tokens.fresh("a").token() + "."));
    assertEquals("foreig…", Tokens.shown("foreigntoken"));
    assertEquals("…", Tokens.shown("x"));
  }
}
