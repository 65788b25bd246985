package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.setnx.ForeignFormatTest.Client;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TestThreads;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Java service and clients that are not ours contend for one key, by the time that it is. */
@DisplayName("A service and other clients on one key")
class SharedLockTest {
  private static final Duration LEASE = Duration.ofSeconds(20);

  /**
   * For the old redis-objects. It reads a lock that was freed between its two looks as one that is
   * over, and its GETSET puts its own time over that of a client that took it meanwhile, be it its
   * like or us. The lock has no holder then, and all wait until that time is past.
   */
  private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

  private static final Duration CONTENTION = Duration.ofMillis(600);
  private static final long SECTION_NANOS = 300_000;

  /** How many were inside together at most, and how often each side was inside. */
  private static final class Section {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ours = new AtomicInteger();
    private final AtomicInteger theirs = new AtomicInteger();
    private final long end = System.nanoTime() + CONTENTION.toNanos();

    boolean isOver() {
      return System.nanoTime() - end > 0 && ours.get() > 3 && theirs.get() > 3;
    }

    void enter(AtomicInteger side) {
      side.incrementAndGet();
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      LockSupport.parkNanos(SECTION_NANOS);
      inside.decrementAndGet();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("never hold it together, and both have their turns")
  void exclusive(Client client) {
    Section section = contend(client, "shared", "shared");
    assertEquals(1, section.most.get(), "holders at a time");
  }

  @ParameterizedTest
  @EnumSource(names = "YII2")
  @DisplayName("... while on two keys they do hold them together: the section would show it")
  void twin(Client client) {
    assertTrue(contend(client, "ours", "theirs").most.get() > 1, "holders at a time");
  }

  private static Section contend(Client client, String ours, String theirs) {
    try (RedisServer server = RedisServers.start();
        LockManager locks =
            LockManager.open(
                LockSettings.of(
                    Map.of(
                        "lock.backend", "redis-setnx",
                        "lock.redis.uri", server.uri(),
                        "lock.redis-setnx.scheme", RedisSettings.id(client.format))))) {
      Section section = new Section();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        all.add(TestThreads.onThread(() -> service(locks, ours, section, leaseFor(client))));
        all.add(TestThreads.onThread(() -> foreigner(client, server, theirs, section)));
      }
      all.forEach(Await::value);
      return section;
    }
  }

  private static Duration leaseFor(Client client) {
    return client == Client.OLD_RUBY ? SHORT_LEASE : LEASE;
  }

  private static Void service(LockManager locks, String name, Section section, Duration length)
      throws InterruptedException {
    Duration pause = Duration.ofMillis(2);
    LockOptions options =
        LockOptions.fixed(length).toBuilder().waitStrategy(WaitStrategy.every(pause)).build();
    while (!section.isOver()) {
      try (Lease lease = locks.lock(name, options).acquire()) {
        section.enter(section.ours);
        lease.ensureValid();
      } catch (LeaseLostException overwritten) {
        assertEquals(SHORT_LEASE, length, overwritten::getMessage);
      }
      LockSupport.parkNanos(SECTION_NANOS);
    }
    return null;
  }

  private static Void foreigner(Client client, RedisServer server, String name, Section section) {
    TurnedClock now = new TurnedClock(0);
    try (ForeignLock lock = client.on(server.connect(), name, now)) {
      while (!section.isOver()) {
        now.set(System.currentTimeMillis() * 1000);
        if (lock.tryLock(leaseFor(client))) {
          section.enter(section.theirs);
          now.set(System.currentTimeMillis() * 1000);
          lock.unlock();
        }
        LockSupport.parkNanos(SECTION_NANOS);
      }
    }
    return null;
  }
}
