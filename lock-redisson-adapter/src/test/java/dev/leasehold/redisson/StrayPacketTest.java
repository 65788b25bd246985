package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An acquisition that arrives after its connection broke, and after the release")
class StrayPacketTest {
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final LockOptions FIXED = LockOptions.fixed(Duration.ofMinutes(2));

  /** Readers' leases may be no longer than the client's watchdog. */
  private static final LockOptions FOR_READERS = LockOptions.fixed(Duration.ofSeconds(30));

  private final Apps apps = new Apps();
  private RespProxy proxy;

  @BeforeEach
  void start() {
    proxy = RespProxy.inFrontOf(apps.server());
  }

  @AfterEach
  void stop() {
    proxy.close();
    apps.close();
  }

  private LockManager open(String mode) {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.backend",
                "redisson",
                "lock.redis.uri",
                proxy.uri(),
                "lock.redisson.mode",
                mode)));
  }

  /** Takes it and gives it back while its first question is held; then that arrives. */
  private void outlives(Callable<Optional<Lease>> taking) throws Exception {
    taking.call().orElseThrow().release(); // the script is there
    ActiveFault stray = proxy.next(1, CommandMatch.named("EVALSHA"), CommandFault.strayRequest());
    Optional<Lease> lease = taking.call();
    assertEquals(1, stray.hits());
    lease.orElseThrow().release();
    long ran = scripts();
    stray.close();
    Await.until("it has run", () -> scripts() == ran + 1);
  }

  private long scripts() {
    return apps.server()
        .call("INFO", "commandstats")
        .orElseThrow()
        .toString()
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .map(line -> line.replaceAll(".*calls=(\\d+).*", "$1"))
        .mapToLong(Long::parseLong)
        .sum();
  }

  private void isEmpty(String key) {
    assertEquals(Optional.of(0L), apps.server().call("EXISTS", key), key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "fair"})
  @DisplayName("takes no lock")
  void lock(String mode) throws Exception {
    try (LockManager locks = open(mode)) {
      outlives(() -> locks.lock("x", FIXED).tryAcquire(WAIT));
      isEmpty("x");
    }
  }

  @Test
  @DisplayName("takes no side of a read/write lock")
  void sides() throws Exception {
    try (LockManager locks = open("plain")) {
      outlives(() -> locks.readWriteLock("x", FOR_READERS).read().tryAcquire(WAIT));
      outlives(() -> locks.readWriteLock("x", FOR_READERS).write().tryAcquire(WAIT));
      isEmpty("x");
    }
  }

  @Test
  @DisplayName("takes no permits")
  void permits() throws Exception {
    try (LockManager locks = open("plain")) {
      outlives(() -> locks.semaphore("x", 3, FIXED).tryAcquire(2, WAIT));
      isEmpty("{x}:timeout");
    }
  }
}
