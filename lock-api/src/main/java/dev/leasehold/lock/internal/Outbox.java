package dev.leasehold.lock.internal;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Does what the turns of cells put down, on the thread of the turn. What turns within put down
 * comes after it, so that a chain of turns needs no stack, however long it is. No letter keeps
 * another from going out, whatever it throws.
 */
final class Outbox {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private final InFlight inFlight;
  private final Executor workers;

  // Not for all managers: the store of one may be built on the locks of another, and wait for them.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Queue<Runnable>> sending = new ThreadLocal<>();

  Outbox(InFlight inFlight, Executor workers) {
    this.inFlight = inFlight;
    this.workers = workers;
  }

  /**
   * Counts letters as under way until they are done: from when they are put down, so that a close
   * doesn't come between a turn and what it sends.
   */
  List<Runnable> counted(List<Runnable> letters) {
    if (inFlight.begin()) {
      letters.add(inFlight::end);
    }
    return letters;
  }

  /** Does these, unless this thread is about to anyway. */
  void send(List<Runnable> letters) {
    if (letters.isEmpty()) {
      return;
    }
    Queue<Runnable> before = sending.get();
    if (before != null) {
      before.addAll(letters);
      return;
    }
    Queue<Runnable> mine = new ArrayDeque<>(letters);
    sending.set(mine);
    try {
      for (Runnable next = mine.poll(); next != null; next = mine.poll()) {
        quietly(next);
      }
    } finally {
      sending.remove();
    }
  }

  /** Has these done by another thread. */
  void sendElsewhere(List<Runnable> letters) {
    if (!letters.isEmpty()) {
      workers.execute(() -> send(letters));
    }
  }

  /** Runs a part; what it throws is logged. */
  static void quietly(Runnable part) {
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
