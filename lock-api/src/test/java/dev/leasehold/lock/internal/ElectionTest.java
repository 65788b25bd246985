package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Resignation;
import dev.leasehold.lock.spi.Ticker;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the kit's rules of elections don't ask: threads, closing from inside, managers that end. */
@Timeout(60)
class ElectionTest {
  private static final Duration BRIEF = Duration.ofMillis(200);

  private final MapStore store = new MapStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final DistributedLock lock = manager.lock("office");
  private final BlockingQueue<Lease> terms = new LinkedBlockingQueue<>();
  private final BlockingQueue<Resignation> told = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    manager.close();
  }

  private LeaderElection.Builder on(DistributedLock by) {
    return LeaderElection.on(by).elected(terms::add).resigned(told::add);
  }

  private static <T> T next(BlockingQueue<T> of) throws InterruptedException {
    T next = of.poll(30, TimeUnit.SECONDS);
    assertTrue(next != null, "nothing came");
    return next;
  }

  @Test
  void leadsWhenTheCallbackHasReturnedAndUntilItIsClosed() throws Exception {
    LeaderElection election = on(lock).start();
    Lease lease = next(terms);
    assertTrue(election.isLeader());
    assertTrue(lease.isValid());
    assertEquals("office", election.lockName());
    assertTrue(lock.tryAcquire().isEmpty(), "the election is an owner of its own");
    election.close();
    assertEquals(new Resignation.Closed("office"), next(told));
    assertFalse(election.isLeader());
    assertFalse(lease.isValid());
    lock.tryAcquire().orElseThrow().release();
    election.close();
    assertTrue(told.isEmpty());
  }

  @Test
  void ofSeveralLocksShowsTheirParts() throws Exception {
    LeaderElection election = on(DistributedLock.all(lock, manager.lock("b"))).start();
    List<Lease> parts = next(terms).parts();
    assertEquals(List.of("office", "b"), parts.stream().map(Lease::lockName).toList());
    assertTrue(parts.get(1).fencingToken() > 0);
    election.close();
    election = on(lock).start();
    Lease one = next(terms);
    assertEquals(List.of(one), one.parts());
    election.close();
  }

  @Test
  void keepsTheLeaseWhileResigning() throws Exception {
    AtomicReference<Boolean> free = new AtomicReference<>();
    LeaderElection election =
        on(lock).resigned(why -> free.set(lock.tryAcquire().isPresent())).start();
    next(terms);
    election.close();
    assertEquals(false, free.get(), "the lock was free before the leader was notified");
  }

  @Test
  void canBeClosedByItsOwnCallbacks() throws Exception {
    AtomicReference<LeaderElection> mine = new AtomicReference<>();
    CountDownLatch set = new CountDownLatch(1);
    BlockingQueue<Thread> closed = new LinkedBlockingQueue<>();
    LeaderElection election =
        LeaderElection.on(lock)
            .elected(
                lease -> {
                  awaitQuietly(set);
                  mine.get().close();
                  closed.add(Thread.currentThread());
                })
            .resigned(
                why -> {
                  mine.get().close();
                  closed.add(Thread.currentThread());
                })
            .start();
    mine.set(election);
    set.countDown();
    assertNotEquals(next(closed), next(closed));
    lock.tryAcquire().orElseThrow().release();
  }

  @Test
  void doesNotStandAgainWhileItsCallbackRuns() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    DistributedLock brief = manager.lock("office", LockOptions.fixed(BRIEF));
    LeaderElection election =
        on(brief)
            .elected(
                lease -> {
                  terms.add(lease);
                  awaitQuietly(end);
                })
            .start();
    next(terms);
    assertInstanceOf(Resignation.Lost.class, next(told));
    lock.tryAcquire(Duration.ofSeconds(5)).orElseThrow().release();
    assertTrue(terms.isEmpty(), "its callback still runs");
    end.countDown();
    next(terms);
    election.close();
  }

  @Test
  void interruptsDoNotHaveItStandAgainWhileItsCallbackRuns() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    BlockingQueue<Thread> candidate = new LinkedBlockingQueue<>();
    LeaderElection election =
        LeaderElection.on(lock)
            .elected(
                lease -> {
                  terms.add(lease);
                  lease.release();
                  awaitQuietly(end);
                })
            .resigned(
                why -> {
                  candidate.add(Thread.currentThread());
                  Thread.currentThread().interrupt(); // as code does that caught one of its own
                })
            .start();
    next(terms);
    Thread waits = next(candidate);
    checkWaits(waits);
    waits.interrupt(); // as code does that ends a group of threads
    checkWaits(waits);
    end.countDown();
    next(terms);
    election.close();
  }

  /** It does, without an end, and no candidate is elected meanwhile. */
  private void checkWaits(Thread waits) {
    Spin.until(
        () -> !terms.isEmpty() || (!waits.isInterrupted() && waits.getState() == State.WAITING));
    assertTrue(terms.isEmpty(), "its callback still runs");
  }

  @Test
  void resignsWithoutAnInterruptThatWasAnothers() throws Exception {
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    LeaderElection election =
        on(manager.lock("alone")).resigned(why -> interrupted.add(Thread.interrupted())).start();
    next(terms);
    Thread candidate =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("leasehold-election-alone"))
            .findFirst()
            .orElseThrow();
    Spin.until(() -> candidate.getState() == State.TIMED_WAITING); // for its term's end
    candidate.interrupt();
    election.close();
    assertFalse(next(interrupted));
  }

  @Test
  void endsWithItsManager() throws Exception {
    LeaderElection election = on(lock).start();
    next(terms);
    manager.close();
    Resignation.Lost lost = assertInstanceOf(Resignation.Lost.class, next(told));
    assertEquals(LeaseLoss.Reason.CLOSED, lost.loss().reason());
    election.close(); // returns: it stands no more
    assertTrue(terms.isEmpty());
  }

  @Test
  void survivesWhateverItsCallbacksThrow() throws Exception {
    try (LogLines log = new LogLines()) {
      LeaderElection election =
          LeaderElection.on(lock)
              .elected(
                  lease -> {
                    terms.add(lease);
                    throw new MapStore.Trouble();
                  })
              .resigned(
                  why -> {
                    told.add(why);
                    throw new MapStore.Trouble();
                  })
              .start();
      next(terms);
      Resignation.Failed failed = assertInstanceOf(Resignation.Failed.class, next(told));
      assertInstanceOf(MapStore.Trouble.class, failed.cause());
      next(terms); // and stands again
      election.close();
      assertTrue(log.lines().contains("a callback threw"), log.lines()::toString);
    }
  }

  @Test
  void goesOnAskingAStoreThatFails() throws Exception {
    try (LogLines log = new LogLines()) {
      store.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
      LeaderElection election = on(lock).start();
      Spin.until(() -> store.calls() > 0);
      store.goWrong(null);
      next(terms);
      election.close();
      assertFalse(
          log.lines().contains("an election failed, and tries again"), "the manager logs it");
    }
  }

  @Test
  void threadsEnd() throws Exception {
    List<LeaderElection> elections = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      elections.add(on(lock).start());
    }
    next(terms);
    elections.forEach(LeaderElection::close);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().endsWith("-office")) {
        thread.join(30_000);
        assertFalse(thread.isAlive(), thread.getName());
      }
    }
  }

  @Test
  void nullIsRefused() {
    assertThrows(NullPointerException.class, () -> LeaderElection.on(null));
    assertThrows(NullPointerException.class, () -> on(lock).elected(null));
    assertThrows(NullPointerException.class, () -> on(lock).resigned(null));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
