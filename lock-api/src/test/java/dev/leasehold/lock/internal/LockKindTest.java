package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of one name, what is reported of a lock is not reported of another kind. */
@Timeout(60)
class LockKindTest {
  private final ManualTime time = new ManualTime();
  private final Heard heard = new Heard();
  private final LogLines log = new LogLines();
  private final List<LockManager> managers = new ArrayList<>();
  private final LockOptions brief = LockOptions.fixed(Duration.ofSeconds(1));

  private static final class Heard implements LockListener {
    final List<LockEvent> events = new ArrayList<>();
    final Set<LockKind> asked = EnumSet.noneOf(LockKind.class);

    @Override
    public void on(LockEvent event) {
      events.add(event);
    }

    @Override
    public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
      asked.add(kind);
      return Optional.empty();
    }

    Set<LockKind> kinds() {
      return events.stream().map(LockEvent::kind).collect(Collectors.toSet());
    }
  }

  private LockManager over(LeaseStore store) {
    LockManager locks = time.manager(store).listener(heard).build();
    managers.add(locks);
    return locks;
  }

  @AfterEach
  void close() {
    managers.forEach(LockManager::close);
    log.close();
  }

  private void isLostAs(LockKind kind, String words, Lease lease) {
    assertEquals("Lease[" + words + ", 988ms left]", lease.toString());
    time.advance(Duration.ofMinutes(1));
    LeaseLostException lost = assertThrows(LeaseLostException.class, lease::release);
    assertEquals(kind, lost.loss().kind());
    String message = String.valueOf(lost.getMessage());
    assertTrue(message.startsWith("lease of " + words + " was lost: "), message);
    assertEquals(Set.of(kind), heard.kinds());
    assertEquals(Set.of(kind), heard.asked);
    assertTrue(
        heard.events.stream().anyMatch(LockEvent.Lost.class::isInstance), heard.events::toString);
    assertTrue(
        heard.events.stream().allMatch(event -> event.toString().contains("kind=" + kind)),
        heard.events::toString);
    assertEquals(1, log.lines().size(), log.lines()::toString);
    assertTrue(
        log.lines().get(0).startsWith("lease of " + words + ", held for "), log.lines()::toString);
  }

  @Test
  void aLock() throws Exception {
    isLostAs(LockKind.LOCK, "lock 'x'", over(new MapStore(time)).lock("x", brief).acquire());
  }

  @Test
  void aReader() throws Exception {
    DistributedLock side = over(new ReadersStore(time)).readWriteLock("x", brief).read();
    assertEquals("DistributedLock[read lock 'x']", side.toString());
    isLostAs(LockKind.READ_LOCK, "read lock 'x'", side.acquire());
  }

  @Test
  void aWriter() throws Exception {
    DistributedLock side = over(new ReadersStore(time)).readWriteLock("x", brief).write();
    assertEquals("DistributedLock[write lock 'x']", side.toString());
    isLostAs(LockKind.WRITE_LOCK, "write lock 'x'", side.acquire());
  }

  @Test
  void permits() throws Exception {
    LockManager locks = over(new PermitsStore());
    isLostAs(LockKind.SEMAPHORE, "semaphore 'x'", locks.semaphore("x", 3, brief).acquire(2));
  }

  @Test
  void whoDoesNotHoldASide() {
    LockManager locks = over(new ReadersStore(time));
    var view = locks.readWriteLock("x").asReadWriteLock();
    for (var side : List.of(view.readLock(), view.writeLock())) {
      String words =
          String.valueOf(
              assertThrows(IllegalMonitorStateException.class, side::unlock).getMessage());
      String which = side == view.readLock() ? "read lock 'x'" : "write lock 'x'";
      assertTrue(words.endsWith(" does not hold " + which), words);
      assertEquals("Lock view of " + which, side.toString());
    }
  }

  @Test
  void aLatchThatTheStoreDoesNotOpen() {
    LatchStub store = new LatchStub();
    LockManager locks = over(store);
    store.trouble =
        () -> CompletableFuture.failedFuture(new LockStoreException(Kind.REFUSED, "not now"));
    assertThrows(LockStoreException.class, () -> locks.latch("x").open(1, Duration.ofMinutes(1)));
    assertEquals(Set.of(LockKind.LATCH), heard.kinds());
    assertEquals(List.of("the store fails (open of latch 'x')"), log.lines());
  }

  @Test
  void aReaderWhoseRenewalFails() throws Exception {
    ReadersStore store = new ReadersStore(time);
    Lease reading = over(store).readWriteLock("x").read().acquire();
    store.map.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
    time.advance(Duration.ofSeconds(15));
    assertTrue(reading.isValid());
    assertEquals(List.of("the store fails (renew of read lock 'x')"), log.lines());
    assertTrue(
        heard.events.stream().anyMatch(LockEvent.Failed.class::isInstance), heard.events::toString);
    assertEquals(Set.of(LockKind.READ_LOCK), heard.kinds());
  }

  @Test
  void aLateReleaseInTheBackground() throws Exception {
    ReadersStore store = new ReadersStore(time);
    Lease writing = over(store).readWriteLock("x").write().acquire();
    store.map.releasesFail(Kind.TIMED_OUT);
    assertThrows(LockStoreException.class, writing::release);
    int before = heard.events.size();
    time.advance(Duration.ofSeconds(3));
    assertTrue(heard.events.size() > before, "it is not tried again");
    assertEquals(Set.of(LockKind.WRITE_LOCK), heard.kinds());
  }
}
