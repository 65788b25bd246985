package dev.leasehold.testkit.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Events of several processes that share a clock. Immutable. The events of each owner are in the
 * order in which they happened; those of different owners are in any order.
 */
public final class History {
  private static final double NANOS_PER_MILLI = 1e6;

  private final List<Event> events;

  private History(List<Event> events) {
    this.events = events;
  }

  /** A history of these events. */
  public static History of(List<Event> events) {
    return new History(List.copyOf(events));
  }

  /**
   * Reads lines written by {@link #write}. An incomplete last line, from a writer that was killed,
   * is ignored.
   *
   * @throws IllegalArgumentException if a line is not an event; the message shows it
   */
  public static History read(Reader in) throws IOException {
    BufferedReader reader = new BufferedReader(in);
    List<Event> events = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      events.add(EventFormat.parse(line.toString()));
      line.setLength(0);
    }
    return new History(List.copyOf(events));
  }

  /** Writes all events as lines. */
  public void write(Appendable out) throws IOException {
    for (Event e : events) {
      out.append(EventFormat.line(e)).append('\n');
    }
  }

  /** The union of this history and one of other processes. */
  public History and(History other) {
    List<Event> all = new ArrayList<>(events);
    all.addAll(other.events);
    return new History(List.copyOf(all));
  }

  /** All events. */
  public List<Event> events() {
    return events;
  }

  /**
   * The events of one lock in a span of time, one per line, in milliseconds from the start of the
   * span; if there are more than {@code most}, the first and last of them.
   */
  public String excerpt(String lock, long from, long to, int most) {
    List<Event> found =
        events.stream()
            .filter(e -> e.lock().equals(lock) || e.kind() == Event.Kind.DIED)
            .filter(e -> e.nanos() >= from && e.nanos() <= to)
            .sorted(Comparator.comparingLong(Event::nanos))
            .toList();
    StringBuilder text = new StringBuilder();
    int left = found.size() - most;
    for (int i = 0; i < found.size(); i++) {
      if (left > 0 && i == most / 2) {
        text.append("    ... ").append(left).append(" more\n");
        i += left;
      }
      text.append(line(found.get(i), from)).append('\n');
    }
    return text.toString();
  }

  private static String line(Event e, long from) {
    String text =
        String.format(
            Locale.ROOT,
            "%12.3f ms  %s/%s  %s %s",
            (e.nanos() - from) / NANOS_PER_MILLI,
            e.process(),
            e.owner(),
            EventFormat.word(e.kind()),
            EventFormat.word(e.phase()));
    if (e.token().isPresent()) {
      text += "  token " + e.token().getAsLong();
    }
    if (e.deadline().isPresent()) {
      text +=
          String.format(
              Locale.ROOT,
              "  deadline %.3f ms",
              (e.deadline().getAsLong() - from) / NANOS_PER_MILLI);
    }
    return text;
  }

  @Override
  public String toString() {
    return "History[" + events.size() + " events]";
  }
}
