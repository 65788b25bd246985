package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kinds beside the plain lock, by two stores, wherever the keys of a name are: taken, refused,
 * renewed, given back, and waiters are woken.
 */
record KindsOnNodes(LeaseStore store, LeaseStore other, String name) {

  static KindsOnNodes by(StoreOps store, StoreOps other, String name) {
    return new KindsOnNodes(store.store(), other.store(), name);
  }

  private LeaseKey mine() {
    return new LeaseKey(name, "a:1");
  }

  private LeaseKey theirs() {
    return new LeaseKey(name, "b:2");
  }

  void allWork() {
    semaphoreWorks();
    sidesWork();
    latchWorks();
  }

  void semaphoreWorks() {
    PermitStore permits = (PermitStore) store;
    LeaseStore one = ((PermitStore) other).permits(1, 2);
    passes(permits.permits(2, 2), one);
    assertEquals(new PermitStore.Permits(2, 1), Await.value(permits.count(name)));
    Await.value(permits.resize(name, 2, 3));
    assertEquals(ReleaseResult.RELEASED, Await.value(one.release(theirs())));
  }

  void sidesWork() {
    ReadWriteStore sides = (ReadWriteStore) store;
    ReadWriteStore others = (ReadWriteStore) other;
    long written = passes(sides.writes(), others.reads());
    Granted beside = granted(sides.reads(), mine());
    assertTrue(beside.fence().orElseThrow() > written, "a reader's token is above the writer's");
    assertEquals(ReleaseResult.RELEASED, Await.value(sides.reads().release(mine())));
    assertEquals(ReleaseResult.RELEASED, Await.value(others.reads().release(theirs())));
    passes(sides.reads(), others.writes());
    assertEquals(ReleaseResult.RELEASED, Await.value(others.writes().release(theirs())));
  }

  /**
   * Mine is held, renewed, and released to the one that waits. Returns its fence, if it has one.
   */
  private long passes(LeaseStore held, LeaseStore wanted) {
    Granted granted = granted(held, mine());
    AtomicInteger woken = new AtomicInteger();
    Watch watch = Await.value(wanted.watch(theirs(), woken::incrementAndGet));
    woken.set(0);
    AcquireRequest waits = new AcquireRequest(theirs(), StoreOps.TTL, IfHeld.ENQUEUE).repeated();
    assertInstanceOf(Held.class, Await.value(wanted.acquire(waits)));
    RenewRequest longer = new RenewRequest(mine(), StoreOps.TTL);
    assertEquals(RenewResult.RENEWED, Await.value(held.renew(List.of(longer)).get(0)));
    assertEquals(ReleaseResult.PASSED_ON, Await.value(held.release(mine())));
    Await.until("the waiter is woken", () -> woken.get() > 0);
    assertInstanceOf(Granted.class, Await.value(wanted.acquire(waits)));
    Await.value(wanted.leave(theirs()));
    watch.close();
    return granted.fence().orElse(0);
  }

  private static Granted granted(LeaseStore store, LeaseKey key) {
    AcquireRequest request = new AcquireRequest(key, StoreOps.TTL, IfHeld.REFUSE);
    return assertInstanceOf(Granted.class, Await.value(store.acquire(request)));
  }

  void latchWorks() {
    Latches latches = ((LatchStore) store).latches();
    Latches others = ((LatchStore) other).latches();
    AtomicInteger woken = new AtomicInteger();
    assertTrue(Await.value(latches.open(mine(), 1, StoreOps.TTL)));
    Watch watch = Await.value(others.watch(theirs(), woken::incrementAndGet));
    woken.set(0);
    assertEquals(1, Await.value(others.look(theirs(), IfHeld.ENQUEUE)).orElseThrow().count());
    assertTrue(Await.value(latches.countDown(new LeaseKey(name, "a:2"))));
    Await.until("the waiter is woken", () -> woken.get() > 0);
    assertEquals(0, Await.value(others.look(theirs(), IfHeld.ENQUEUE)).orElseThrow().count());
    Await.value(others.leave(theirs()));
    watch.close();
  }
}
