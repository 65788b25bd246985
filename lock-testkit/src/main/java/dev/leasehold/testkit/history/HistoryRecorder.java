package dev.leasehold.testkit.history;

import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records the operations of one process's owners, in memory and without blocking.
 *
 * <p>Thread-safe. A worker process passes its history to its parent with {@link History#write}.
 */
public final class HistoryRecorder {
  private final String process;
  private final Ticker ticker;
  private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();

  /**
   * A recorder on the host's monotonic clock.
   *
   * @param process name of this process, unique in the history
   */
  public HistoryRecorder(String process) {
    this(process, Ticker.system());
  }

  /** A recorder on another clock, which all recorders of a history must share. */
  public HistoryRecorder(String process, Ticker ticker) {
    this.process = process;
    this.ticker = ticker;
  }

  /** The log of one owner's operations on one lock; the owner's name is unique in the process. */
  public OwnerLog owner(String owner, String lock) {
    return new OwnerLog(this, owner, lock);
  }

  /** Records an event unchanged. */
  public void record(Event event) {
    events.add(event);
  }

  /** Records the end of another process. Call it once its end is certain. */
  public void died(String otherProcess) {
    record(
        new Event(
            otherProcess,
            "",
            "",
            Kind.DIED,
            Phase.OK,
            now(),
            OptionalLong.empty(),
            OptionalLong.empty()));
  }

  long now() {
    return ticker.nanos();
  }

  void record(
      String owner,
      String lock,
      Kind kind,
      Phase phase,
      long nanos,
      OptionalLong token,
      OptionalLong deadline) {
    events.add(new Event(process, owner, lock, kind, phase, nanos, token, deadline));
  }

  /** The events recorded so far, as a history. */
  public History history() {
    return History.of(new ArrayList<>(events));
  }
}
