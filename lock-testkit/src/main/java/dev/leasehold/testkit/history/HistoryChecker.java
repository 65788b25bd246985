package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Event.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks histories of locks. Stateless.
 *
 * <p>A hold is {@code [acquired, min(release sent, deadline))}, where only a confirmed renewal
 * moves the deadline, and re-entries collapse into the outermost pair. Holds of one lock must not
 * overlap; tokens must grow from hold to hold; an attempt that does not wait may only be refused
 * during a possible hold of another owner; a fenced resource must not accept a token smaller than
 * one it has seen.
 *
 * <p>For leases this is exact and takes O(n log n): each check is one sorted sweep. (Whether a
 * history of general objects is linearizable is NP-complete; see Gibbons and Korach, <i>Testing
 * shared memories</i>, 1997.)
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /**
   * Checks a history.
   *
   * @throws IllegalArgumentException if an owner's events are inconsistent: an outcome without a
   *     start, a release without an acquisition
   */
  public static Verdict check(History history, FaultModel model) {
    Map<String, LockChecks> locks = new LinkedHashMap<>();
    int holds = 0;
    int refusals = 0;
    for (Timeline timeline : timelines(history, model)) {
      holds += timeline.holds.size();
      refusals += timeline.refusals.size();
      locks.computeIfAbsent(timeline.lock(), lock -> new LockChecks(lock, model)).add(timeline);
    }
    List<Violation> violations = new ArrayList<>();
    locks.values().forEach(lock -> lock.run(violations));
    return new Verdict(history, holds, refusals, List.copyOf(violations));
  }

  /** The holds of a history, owner by owner. */
  public static List<RecordedHold> holds(History history) {
    return timelines(history, FaultModel.inside()).stream()
        .flatMap(timeline -> timeline.holds.stream())
        .toList();
  }

  private static List<Timeline> timelines(History history, FaultModel model) {
    Map<Timeline.Key, Timeline> timelines = new LinkedHashMap<>();
    List<Event> deaths = new ArrayList<>();
    for (Event e : history.events()) {
      if (e.kind() == Kind.DIED) {
        deaths.add(e);
      } else {
        timelines
            .computeIfAbsent(
                new Timeline.Key(e.process(), e.owner(), e.lock()), key -> new Timeline(key, model))
            .add(e);
      }
    }
    // A death is recorded by another process, so its position in the list is arbitrary; no event of
    // the process follows it in time.
    for (Event death : deaths) {
      for (Timeline timeline : timelines.values()) {
        if (timeline.isOf(death.process())) {
          timeline.add(death);
        }
      }
    }
    timelines.values().forEach(Timeline::finish);
    return List.copyOf(timelines.values());
  }
}
