package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("A lease over the longest is a configuration error, not a failure of the store")
class LongestLeaseTest {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration LONGER = Duration.ofSeconds(11);
  private static final LockOptions FIXED = LockOptions.fixed(LONGER);
  private static final LockOptions AUTOMATIC = LockOptions.builder().automaticLease(LONGER).build();
  private static final LockOptions FITS = LockOptions.builder().automaticLease(LONGEST).build();

  private List<RedisServer> servers = List.of();
  private LockManager locks;

  @BeforeEach
  void open() {
    servers = Stream.generate(RedisServers::start).limit(3).toList();
    servers.forEach(NodeOperations::admit);
    String nodes = servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    locks =
        LockManager.open(
            LockSettings.of(
                Map.of("lock.redlock.nodes", nodes, "lock.redlock.longest-lease", "10s")));
  }

  @AfterEach
  void close() {
    locks.close();
    servers.forEach(RedisServer::close);
  }

  private static void isRefused(String what, String time, Executable asking) {
    String words =
        String.valueOf(assertThrows(LockConfigurationException.class, asking).getMessage());
    assertTrue(words.startsWith(what + " of " + time + " "), words);
    assertTrue(words.contains("lock.redlock.longest-lease = 10s"), words);
  }

  @Test
  @DisplayName("Of every kind, when it is asked for")
  void kinds() throws Exception {
    for (LockOptions options : List.of(FIXED, AUTOMATIC)) {
      isRefused("a lease", "11s", () -> locks.lock("l", options));
      isRefused("a lease", "11s", () -> locks.all(List.of("l", "m"), options));
      isRefused("a lease", "11s", () -> locks.readWriteLock("l", options));
      isRefused("a lease", "11s", () -> locks.semaphore("l", 3, options));
    }
    locks.lock("l", FITS).acquire().release();
    locks.all(List.of("l", "m"), FITS).acquire().release();
    locks.readWriteLock("l", FITS).read().acquire().release();
    locks.readWriteLock("l", FITS).write().acquire().release();
    locks.semaphore("l", 3, FITS).acquire().release();
  }

  @Test
  @DisplayName("Also the lease by default, if the longest one is shorter")
  void defaults() {
    isRefused("a lease", "30s", () -> locks.lock("l"));
    isRefused("a lease", "30s", () -> locks.readWriteLock("l"));
    isRefused("a lease", "30s", () -> locks.semaphore("l", 3));
  }

  @Test
  @DisplayName("A minimum hold")
  void minimumHold() throws Exception {
    LockOptions least = FITS.toBuilder().atLeast(LONGER).build();
    isRefused("a minimum hold (atLeast, lock.at-least)", "11s", () -> locks.lock("l", least));
    locks.lock("l", FITS.toBuilder().atLeast(LONGEST).build()).acquire().release();
  }

  @Test
  @DisplayName("An extension, which changes nothing")
  void extension() throws Exception {
    try (Lease lease = locks.lock("l", LockOptions.fixed(Duration.ofSeconds(5))).acquire();
        Lease reading = locks.readWriteLock("l", FITS).read().acquire()) {
      isRefused("a lease", "11s", () -> lease.extend(LONGER));
      isRefused("a lease", "11s", () -> reading.extend(LONGER));
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(5)) < 0);
      assertTrue(lease.extend(LONGEST));
      assertFalse(lease.remaining().compareTo(Duration.ofSeconds(5)) < 0);
    }
  }
}
