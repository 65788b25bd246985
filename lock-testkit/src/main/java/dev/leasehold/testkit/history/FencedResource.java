package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The resource guarded by a lock, reduced to its fence: it remembers the highest token seen and
 * rejects writes with a smaller one. Thread-safe.
 */
public final class FencedResource {
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Write> writes = new ArrayList<>();
  private final boolean fenced;
  private long highest = Long.MIN_VALUE;

  /**
   * A write and its outcome.
   *
   * @param token the writer's token
   * @param outcome accepted or rejected
   */
  public record Write(long token, Outcome outcome) {}

  /** The outcome of a write. */
  public enum Outcome {
    /** The write was applied. */
    ACCEPTED,
    /** Its token was smaller than one seen before. */
    REJECTED
  }

  private FencedResource(boolean fenced) {
    this.fenced = fenced;
  }

  /** A resource that checks tokens. */
  public static FencedResource fenced() {
    return new FencedResource(true);
  }

  /** A resource that accepts every write: the twin that shows what fencing is for. */
  public static FencedResource unfenced() {
    return new FencedResource(false);
  }

  /** Writes with a token. */
  public Outcome write(long token) {
    mutex.lock();
    try {
      Outcome outcome = fenced && token < highest ? Outcome.REJECTED : Outcome.ACCEPTED;
      highest = Math.max(highest, token);
      writes.add(new Write(token, outcome));
      return outcome;
    } finally {
      mutex.unlock();
    }
  }

  /** All writes, in order. */
  public List<Write> writes() {
    mutex.lock();
    try {
      return List.copyOf(writes);
    } finally {
      mutex.unlock();
    }
  }
}
