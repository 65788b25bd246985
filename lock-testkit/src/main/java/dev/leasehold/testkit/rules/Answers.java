package dev.leasehold.testkit.rules;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.concurrent.Callable;

/** What a rule asks of stores that are well, on a machine that may be busy. */
final class Answers {
  private static final int TRIES = 5;
  private static final Duration PAUSE = TimeScale.millis(200);

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
}
