package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What a rule asks of stores that are well, on a machine that may be busy. */
final class Answers {
  private static final int TRIES = 5;
  private static final Duration PAUSE = TimeScale.millis(200);
  private static final Duration LATEST = TimeScale.seconds(10);

  private Answers() {}

  /** Asks again where a new JVM on a busy machine had no answer in time: nothing was refused. */
  static <T> T answered(Callable<T> question) throws Exception {
    for (int i = 1; i < TRIES; i++) {
      try {
        return question.call();
      } catch (LockStoreException notInTime) {
        Await.pass(PAUSE);
      }
    }
    return question.call();
  }

  /** The same of an attempt that is refused: a quorum's nodes that were just late said nothing. */
  static LockStoreException refusedInTime(LockManager manager, String name) {
    long since = System.nanoTime();
    LockStoreException failure = FaultRules.refused(manager, name);
    while (failure.kind() == Kind.TIMED_OUT && System.nanoTime() - since < LATEST.toNanos()) {
      Await.pass(PAUSE);
      failure = FaultRules.refused(manager, name);
    }
    return failure;
  }

  /** Waits for it; nobody is let in by a store that does not answer. */
  static Optional<Lease> attempt(DistributedLock lock, Duration wait) throws InterruptedException {
    try {
      return lock.tryAcquire(wait);
    } catch (LockStoreException unanswered) {
      return Optional.empty();
    }
  }

  /** Releases it; if the store does not answer, the manager repeats the release. */
  static void release(Lease lease) {
    try {
      lease.release();
    } catch (LockStoreException unanswered) {
      // whether it was given back is looked at on the store
    }
  }

  /** Asks once; nobody is let in by a store that does not answer, or not in time. */
  static Optional<Lease> attempt(DistributedLock lock) {
    try {
      return lock.tryAcquire();
    } catch (LockStoreException unanswered) {
      return Optional.empty();
    }
  }
}
