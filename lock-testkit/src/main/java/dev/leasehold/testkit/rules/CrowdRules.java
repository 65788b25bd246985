package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;

/** More threads than a client has connections, and a server that does not answer. */
final class CrowdRules extends Steps {
  /** More than the default pool size of the clients. */
  private static final int CROWD = 120;

  /** Nodes of a quorum have little time to answer, which many threads use up on a slow machine. */
  private static final int CROWD_OF_A_QUORUM = 16;

  private static final int ROUNDS = 20;
  private static final Duration COMMAND = TimeScale.seconds(2);

  private int crowd() {
    return promises(Guarantee.QUORUM) ? CROWD_OF_A_QUORUM : CROWD;
  }

  // ---- RL-6 ----

  @Rule(value = "RL-6", shows = "more threads than connections")
  void interruptedReleasesOfMany() {
    LockManager manager = open(b -> b.commandTimeout(TimeScale.seconds(20)));
    int crowd = crowd();
    CountDownLatch begin = new CountDownLatch(crowd);
    int kept =
        crowd(
                crowd,
                i -> {
                  Lock lock = manager.lock(freshName()).asLock();
                  return () -> releasesInterrupted(lock, begin);
                })
            .stream()
            .mapToInt(Integer::intValue)
            .sum();
    Check.equal(crowd * ROUNDS, kept, "releases that kept the interrupt");
  }

  private static int releasesInterrupted(Lock lock, CountDownLatch begin) throws Exception {
    begin.countDown();
    begin.await();
    int kept = 0;
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      Thread.currentThread().interrupt();
      lock.unlock();
      kept += Thread.interrupted() ? 1 : 0;
    }
    return kept;
  }

  // ---- WA-4 ----

  @Rule(value = "WA-4", shows = "more threads than connections", timed = true)
  void interruptsOfMany() throws Exception {
    LockManager holder = open();
    LockManager manager = open(b -> b.commandTimeout(TimeScale.seconds(20)));
    int crowd = crowd();
    CountDownLatch begin = new CountDownLatch(crowd);
    List<CompletableFuture<InterruptedException>> ends = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < crowd; i++) {
      nextName();
      asking(fixed(holder, name, LONG)).join();
      DistributedLock lock = fixed(manager, name, LONG);
      CompletableFuture<InterruptedException> end = new CompletableFuture<>();
      ends.add(end);
      threads.add(
          bench.thread(
              () -> {
                begin.countDown();
                return Check.fails(InterruptedException.class, "the wait", lock::acquire);
              },
              end));
    }
    threads.forEach(Thread::start);
    begin.await();
    long begun = System.nanoTime();
    // Some are waiting for an answer, others for a connection.
    threads.forEach(Thread::interrupt);
    ends.forEach(Await::value);
    Check.atMost(SLACK, since(begun), "ending by interrupts");
  }

  // ---- WA-1 ----

  @Rule(
      value = "WA-1",
      shows = "a request that does not wait, and a release",
      needs = Need.PAUSE,
      timed = true)
  void hungServerCostsOneTimeout() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open(b -> b.commandTimeout(COMMAND));
    DistributedLock lock = manager.lock(freshName());
    Lease held = fixed(manager, freshName(), LONG).acquire();
    lock.acquire().release();
    site.server().pause();
    try {
      checkTakesOneTimeout("an attempt that does not wait", lock::tryAcquire);
      checkTakesOneTimeout("a second one", lock::tryAcquire);
      checkTakesOneTimeout("a release", held::release);
    } finally {
      site.server().resume();
    }
  }

  private static void checkTakesOneTimeout(String what, Check.Action action) {
    Duration took = took(() -> Check.fails(LockStoreException.class, what, action));
    Check.atMost(COMMAND.plus(COMMAND.dividedBy(2)), took, what + " on a server that hangs");
  }
}
