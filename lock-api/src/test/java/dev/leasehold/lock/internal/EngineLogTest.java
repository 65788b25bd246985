package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log says, and how often. */
@Timeout(60)
class EngineLogTest {
  private final ManualTime time = new ManualTime();
  private final MapStore store = new MapStore(time);
  private final LogLines log = new LogLines();
  private volatile boolean throwing;
  private final LockManager locks =
      time.manager(store)
          .label("here")
          .recordAcquisitions()
          .listener(
              event -> {
                if (throwing) {
                  throw new IllegalStateException("thrown by the test");
                }
              })
          .build();

  @AfterEach
  void close() {
    locks.close();
    log.close();
  }

  private String only() {
    List<String> lines = log.lines();
    assertEquals(1, lines.size(), lines::toString);
    assertEquals(Level.WARNING, log.records().get(0).getLevel());
    return lines.get(0);
  }

  private DistributedLock fixed(String name) {
    return locks.lock(name, LockOptions.fixed(Duration.ofSeconds(1)));
  }

  @Test
  void normalWorkSaysNothing() throws Exception {
    Lease held = locks.lock("l").acquire();
    assertTrue(locks.lock("l").acquireAsync().toCompletableFuture().cancel(false));
    time.advance(Duration.ofMinutes(5));
    assertTrue(held.isValid());
    held.release();
    fixed("m").acquire().release();
    locks.close();
    assertEquals(List.of(), log.lines());
  }

  /** The JDK's log prints it with each line. */
  @Test
  void theCallerIsTheClassThatLogs() throws Exception {
    throwing = true;
    Lease lease = fixed("a").acquire();
    time.advance(Duration.ofMinutes(1));
    assertThrows(LeaseLostException.class, lease::release);
    store.refuse();
    assertThrows(LockStoreException.class, () -> locks.lock("b").tryAcquire());
    assertEquals(
        Set.of(EngineLog.class.getName(), Events.class.getName()),
        log.records().stream().map(LogRecord::getSourceClassName).collect(Collectors.toSet()));
  }

  @Test
  void aLossIsSaidOnceInOneLine() throws Exception {
    Lease lease = fixed("a\nb").acquire();
    time.advance(Duration.ofMinutes(1));
    assertThrows(LeaseLostException.class, lease::release);
    String line = only();
    assertTrue(line.contains("lock 'a\\nb'"), line);
    assertTrue(line.contains("held for 988ms"), line);
    assertTrue(line.contains("thread '" + Thread.currentThread().getName() + "' of here"), line);
    assertTrue(line.contains("EXPIRED"), line);
    assertNotNull(log.records().get(0).getThrown());
  }

  @Test
  void leasesTellTheirTimeAsSettingsAreWritten() throws Exception {
    assertEquals("Lease[lock 'l', 988ms left]", fixed("l").acquire().toString());
    LockOptions second = LockOptions.fixed(Duration.ofSeconds(1));
    try (Lease both = locks.all(List.of("a", "b"), second).acquire()) {
      String told = both.toString();
      assertTrue(told.endsWith(", 988ms left]"), told);
    }
  }

  @Test
  void aLossThatIsNoticedAtTheReleaseToo() throws Exception {
    Lease lease = fixed("l").acquire();
    store.forget();
    assertThrows(LeaseLostException.class, lease::release);
    assertTrue(only().contains("NOT_OWNER"), this::only);
  }

  @Test
  void manyLossesAreTenLinesAndTheirNumber() throws Exception {
    List<Lease> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(fixed("l" + i).acquire());
    }
    time.advance(Duration.ofMinutes(1));
    assertEquals(1000, all.size());
    assertEquals(11, log.lines().size(), log.lines()::toString);
    assertTrue(log.lines().get(10).contains("990 more losses"), log.lines()::toString);
  }

  @Test
  void aCallbackThatAlwaysThrowsDoesNotFillTheLog() throws Exception {
    throwing = true;
    for (int i = 0; i < 100; i++) {
      locks.lock("l").acquire().release(); // each with at least two events
    }
    assertEquals(10, log.lines().size(), log.lines()::toString);
    assertNotNull(log.records().get(0).getThrown());
    throwing = false;
    time.advance(Duration.ofSeconds(10));
    assertEquals(11, log.lines().size(), log.lines()::toString);
    assertTrue(
        log.lines().get(10).endsWith("more callbacks that threw are not listed"),
        log.lines()::toString);
  }

  @Test
  void aStoreThatFailsIsSaidOnceAndOnceWhenItIsBack() throws Exception {
    Lease held = locks.lock("held").acquire();
    store.refuse();
    for (int i = 0; i < 50; i++) {
      assertThrows(LockStoreException.class, () -> locks.lock("l").tryAcquire());
      time.advance(Duration.ofMillis(100));
    }
    String line = only();
    assertTrue(line.contains("acquire of lock 'l'"), line);
    assertNotNull(log.records().get(0).getThrown());
    held.release();
    assertEquals(2, log.lines().size(), log.lines()::toString);
    String back = log.lines().get(1);
    assertTrue(back.contains("after 5s;") && back.endsWith(": 50"), back);
  }

  @Test
  void renewalsThatFailAreSaidOnceAndThenTheLoss() throws Exception {
    Lease held = locks.lock("held").acquire();
    store.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
    time.advance(Duration.ofSeconds(27));
    assertTrue(held.isValid());
    assertTrue(only().contains("renew of lock 'held'"), this::only);
    time.advance(Duration.ofSeconds(5));
    assertThrows(LeaseLostException.class, held::release);
    assertEquals(2, log.lines().size(), log.lines()::toString);
    assertTrue(log.lines().get(1).contains("EXPIRED"), log.lines()::toString);
  }

  @Test
  void aStoreThatFailsNowAndThenDoesNotFillTheLog() throws Exception {
    store.refuse();
    for (int i = 0; i < 600; i++) {
      assertThrows(LockStoreException.class, () -> locks.lock("l").tryAcquire());
      locks.lock("l").inspect(); // which works
      time.advance(Duration.ofMillis(100));
    }
    assertTrue(log.lines().size() <= 12, log.lines()::toString);
    assertTrue(log.lines().size() >= 10, log.lines()::toString);
  }

  @Test
  void aHoldThatACloseWaitsForIsSaid() throws Exception {
    Lease held = locks.lock("l").acquire();
    Lease given = locks.lock("m").acquire();
    given.release();
    locks.close();
    String line = only();
    assertTrue(line.contains("lock 'l'") && line.contains("being closed"), line);
    assertNotNull(log.records().get(0).getThrown());
    assertThrows(LeaseLostException.class, held::release);
  }

  @Test
  void anExecutorThatRefusesIsSaidOnce() throws Exception {
    AtomicInteger heard = new AtomicInteger();
    try (LockManager refused =
        LockManager.over(store)
            .ticker(time)
            .scheduler(time)
            .workers(Runnable::run)
            .executor(
                task -> {
                  throw new RejectedExecutionException("full");
                })
            .listener(event -> heard.incrementAndGet())
            .build()) {
      for (int i = 0; i < 20; i++) {
        refused.lock("l").acquire().release();
      }
      Spin.until(() -> heard.get() >= 40); // all is reported all the same
    }
    assertTrue(only().contains("refused a task"), this::only);
  }
}
