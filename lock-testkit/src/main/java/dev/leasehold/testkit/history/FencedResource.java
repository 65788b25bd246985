package dev.leasehold.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a lock guards, reduced to its fence: it keeps the highest token it has seen and rejects
 * writes with a smaller one. Thread-safe.
 */
public final class FencedResource {
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Write> writes = new ArrayList<>();
  private final boolean fenced;
  private long highest = Long.MIN_VALUE;

  /**
   * A write and what became of it.
   *
   * @param token the writer's token
   * @param outcome what became of it
   */
  public record Write(long token, Outcome outcome) {}

  /** What became of a write. */
  public enum Outcome {
    /** It was done. */
    ACCEPTED,
    /** Its token was smaller than one seen before. */
    REJECTED
  }

  private FencedResource(boolean fenced) {
    this.fenced = fenced;
  }

  /** A resource that looks at tokens. */
  public static FencedResource fenced() {
    return new FencedResource(true);
  }

  /** One that takes every write: the twin that shows what fencing is for. */
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

  /** All writes in their order. */
  public List<Write> writes() {
    mutex.lock();
    try {
      return List.copyOf(writes);
    } finally {
      mutex.unlock();
    }
  }
}
