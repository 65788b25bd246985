package dev.leasehold.lock.internal.threads;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions that were queued under a mutex after it is released, on the same thread. Actions
 * that these queue in turn run after them, so that a chain of actions needs no stack, however long
 * it is. One failing action does not stop the others.
 */
public final class Outbox {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final int MOST_DONE = 64;

  private final Lifecycle lifecycle;
  private final Executor workers;

  // One for each manager: the store of one may be built on the locks of another, and wait for them.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable List<Runnable>> sending = new ThreadLocal<>();

  public Outbox(Lifecycle lifecycle, Executor workers) {
    this.lifecycle = lifecycle;
    this.workers = workers;
  }

  /**
   * Counts queued actions as in flight until they have run, so that a close does not come between a
   * step under the mutex and its actions.
   */
  public List<Runnable> counted(List<Runnable> letters) {
    if (lifecycle.begin()) {
      letters.add(lifecycle::end);
    }
    return letters;
  }

  /** Runs actions, unless this thread is running some: then it appends them. Keeps the list. */
  public void send(List<Runnable> letters) {
    if (letters.isEmpty()) {
      return;
    }
    List<Runnable> before = sending.get();
    if (before != null) {
      before.addAll(letters);
      return;
    }
    sending.set(letters);
    try {
      for (int next = 0; next < letters.size(); ) {
        Runnable letter = letters.get(next++);
        if (next == MOST_DONE) { // a chain may be endless
          letters.subList(0, next).clear();
          next = 0;
        }
        quietly(letter);
      }
    } finally {
      sending.set(
          null); // not removed: creating and clearing the entry costs a native call each time
    }
  }

  /** Has another thread run the actions. */
  public void sendElsewhere(List<Runnable> letters) {
    if (!letters.isEmpty()) {
      workers.execute(() -> send(letters));
    }
  }

  /** Runs an action; logs what it throws. */
  public static void quietly(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      try {
        LOG.log(Level.WARNING, "a part of the lock engine threw; the rest goes on", e);
      } catch (RuntimeException | Error unlogged) {
        // Even logging failed, for lack of memory perhaps: the other actions still run.
      }
    }
  }
}
