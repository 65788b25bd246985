package dev.leasehold.lock.internal;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs blocking store calls. A thread that asks for a lock in the blocking form may run them
 * itself, which saves two thread hops on each; all others, virtual threads too (an interrupt would
 * close the socket they block on), leave them to threads of the manager that nobody interrupts.
 */
final class CallerRuns implements Executor {
  private final Executor others;
  private final ThreadLocal<Boolean> allowed = new ThreadLocal<>();

  CallerRuns(Executor others) {
    this.others = others;
  }

  @Override
  public void execute(Runnable command) {
    if (allowed.get() == null) {
      others.execute(command);
    } else {
      command.run();
    }
  }

  /** Lets the calling thread run the blocking store calls of {@code call} itself, if it can. */
  <T> T here(Supplier<T> call) {
    if (Threads.isVirtual(Thread.currentThread())) {
      return call.get();
    }
    allowed.set(Boolean.TRUE);
    try {
      return call.get();
    } finally {
      allowed.remove();
    }
  }
}
