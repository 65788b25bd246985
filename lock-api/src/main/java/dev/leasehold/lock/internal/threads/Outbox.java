package dev.leasehold.lock.internal.threads;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Does what the turns of cells put down, on the thread of the turn. What turns within put down
 * comes after it, so that a chain of turns needs no stack, however long it is. No letter keeps
 * another from going out, whatever it throws.
 */
public final class Outbox {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final int MOST_DONE = 64;

  private final InFlight inFlight;
  private final Executor workers;

  // Not for all managers: the store of one may be built on the locks of another, and wait for them.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable List<Runnable>> sending = new ThreadLocal<>();

  public Outbox(InFlight inFlight, Executor workers) {
    this.inFlight = inFlight;
    this.workers = workers;
  }

  /**
   * Counts letters as under way until they are done: from when they are put down, so that a close
   * doesn't come between a turn and what it sends.
   */
  public List<Runnable> counted(List<Runnable> letters) {
    if (inFlight.begin()) {
      letters.add(inFlight::end);
    }
    return letters;
  }

  /** Does these, unless this thread is about to anyway. The list is this one's from now on. */
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
      sending.set(null); // not removed: to make and clear its entry costs each turn a native call
    }
  }

  /** Has these done by another thread. */
  public void sendElsewhere(List<Runnable> letters) {
    if (!letters.isEmpty()) {
      workers.execute(() -> send(letters));
    }
  }

  /** Runs a part; what it throws is logged. */
  public static void quietly(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      try {
        LOG.log(Level.WARNING, "a part of the lock engine threw; the rest goes on", e);
      } catch (RuntimeException | Error unlogged) {
        // No memory even for that: the rest is worth more.
      }
    }
  }
}
