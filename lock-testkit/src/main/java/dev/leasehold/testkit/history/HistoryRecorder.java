package dev.leasehold.testkit.history;

import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Writes down what the owners of one process do, in memory and without waiting.
 *
 * <p>Thread-safe. A worker process hands its history to its parent with {@link #drainTo}, all at
 * the end or bit by bit, so that little is missing if it is killed.
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

  /** What one owner does to one lock; the owner's name is unique in the process. */
  public OwnerLog owner(String owner, String lock) {
    return new OwnerLog(this, owner, lock);
  }

  /** Writes down an event as it is. */
  public void record(Event event) {
    events.add(event);
  }

  /** Writes down that another process has ended. Call it once its end is certain. */
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

  /** What was written down and not drained, as a history. */
  public History history() {
    return History.of(new ArrayList<>(events));
  }

  /**
   * Writes what was not yet drained as lines, for {@link History#read}. For one thread at a time.
   *
   * @throws IOException from {@code out}; the event it was about is gone
   */
  public void drainTo(Appendable out) throws IOException {
    for (Event e = events.poll(); e != null; e = events.poll()) {
      out.append(EventFormat.line(e)).append('\n');
    }
  }

  /** What was not yet drained, taken out. */
  public List<Event> drain() {
    List<Event> drained = new ArrayList<>();
    for (Event e = events.poll(); e != null; e = events.poll()) {
      drained.add(e);
    }
    return drained;
  }
}
