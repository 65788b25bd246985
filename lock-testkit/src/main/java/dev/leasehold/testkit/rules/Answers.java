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

/** Calls that tolerate a healthy store answering too late on a busy machine. */
final class Answers {
  private static final int TRIES = 5;
  private static final Duration PAUSE = TimeScale.millis(200);
  private static final Duration LATEST = TimeScale.seconds(10);

  private Answers() {}

  /**
   * Repeats a call that timed out, as the first calls of a new JVM on a busy machine may. A refusal
   * is not repeated.
   */
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

  /**
   * Repeats an attempt that must fail while it fails by a time-out: late nodes of a quorum give no
   * answer.
   */
  static LockStoreException refusedInTime(LockManager manager, String name) {
    long since = System.nanoTime();
    LockStoreException failure = FaultRules.refused(manager, name);
    while (failure.kind() == Kind.TIMED_OUT && System.nanoTime() - since < LATEST.toNanos()) {
      Await.pass(PAUSE);
      failure = FaultRules.refused(manager, name);
    }
    return failure;
  }

  /**
   * As {@link DistributedLock#tryAcquire(Duration)}; a store that does not answer counts as a
   * refusal.
   */
  static Optional<Lease> attempt(DistributedLock lock, Duration wait) throws InterruptedException {
    try {
      return lock.tryAcquire(wait);
    } catch (LockStoreException unanswered) {
      return Optional.empty();
    }
  }

  /** Releases a lease; if the store does not answer, the manager repeats the release. */
  static void release(Lease lease) {
    try {
      lease.release();
    } catch (LockStoreException unanswered) {
      // the caller checks on the store whether the lock was released
    }
  }

  /** A single attempt; a store that does not answer in time counts as a refusal. */
  static Optional<Lease> attempt(DistributedLock lock) {
    try {
      return lock.tryAcquire();
    } catch (LockStoreException unanswered) {
      return Optional.empty();
    }
  }
}
