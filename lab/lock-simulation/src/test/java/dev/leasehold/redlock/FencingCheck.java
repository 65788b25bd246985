package dev.leasehold.redlock;

import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Event.Phase;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.RecordedHold;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether fencing protected the guarded resource, even where holds overlap. A holder's staleness is
 * judged by the order of grants alone: the resource compares tokens and cannot detect wrong ones.
 */
final class FencingCheck {
  private final Grants grants;
  private final List<RecordedHold> holds;
  private final List<Write> writes;
  private final List<String> broken = new ArrayList<>();

  /** A write, from its sending until its outcome was known, if its writer survived. */
  private record Write(RecordedHold hold, long from, long to, Phase outcome) {
    boolean is(Phase other) {
      return outcome == other;
    }
  }

  FencingCheck(History history, Grants grants) {
    this.grants = grants;
    holds = HistoryChecker.holds(history).stream().filter(h -> h.token().isPresent()).toList();
    writes = writes(history);
    for (RecordedHold hold : holds) {
      for (RecordedHold other : holds) {
        if (hold != other && hold.lock().equals(other.lock())) {
          compare(hold, other);
        }
      }
    }
    writes.forEach(this::judge);
  }

  /** The violations; empty if fencing held. */
  List<String> broken() {
    return broken;
  }

  /** The number of writes that the resource rejected. */
  long rejected() {
    return writes.stream().filter(write -> write.is(Phase.FAIL)).count();
  }

  private static long token(RecordedHold hold) {
    return hold.token().orElseThrow();
  }

  private static String who(RecordedHold hold) {
    return hold.process() + "/" + hold.owner() + " of '" + hold.lock() + "' with " + token(hold);
  }

  private boolean isOfOneGrant(RecordedHold hold, RecordedHold other) {
    return hold.process().equals(other.process()) && grant(hold) == grant(other);
  }

  private long grant(RecordedHold hold) {
    return grants.of(hold.process(), hold.lock(), token(hold));
  }

  /**
   * Whether a hold's grant was requested after the other hold had started. A handed-over hold is as
   * old as its grant: the process may not know yet that it has lost the lock.
   */
  private boolean isLater(RecordedHold hold, RecordedHold other) {
    return firstOf(hold).filter(first -> other.start() < first.invoked()).isPresent();
  }

  /** The first hold of its grant; empty if that was given up before it was reported. */
  private Optional<RecordedHold> firstOf(RecordedHold hold) {
    long first = grant(hold);
    return holds.stream()
        .filter(h -> token(h) == first && h.process().equals(hold.process()))
        .filter(h -> h.lock().equals(hold.lock()))
        .findFirst();
  }

  private void compare(RecordedHold hold, RecordedHold other) {
    if (token(hold) == token(other)) {
      broken.add("one token for two: " + who(hold) + " and " + who(other));
      return;
    }
    boolean after = isOfOneGrant(hold, other) ? other.start() < hold.start() : isLater(hold, other);
    if (after && token(hold) < token(other)) {
      broken.add("the later holder's token is smaller: " + who(hold) + " after " + who(other));
    }
  }

  private void judge(Write write) {
    if (write.is(Phase.OK)) {
      writes.stream()
          .filter(other -> other.is(Phase.OK) && other.to < write.from && isSameLock(write, other))
          .filter(other -> isLater(other.hold, write.hold))
          .findFirst()
          .ifPresent(
              other ->
                  broken.add(
                      "a stale write was accepted: "
                          + who(write.hold)
                          + " after "
                          + who(other.hold)));
    } else if (write.is(Phase.FAIL)
        && writes.stream()
            .filter(
                other -> !other.is(Phase.FAIL) && other.from < write.to && isSameLock(write, other))
            .allMatch(other -> other.hold == write.hold || isLater(write.hold, other.hold))) {
      broken.add("refused, though no newer holder has written: " + who(write.hold));
    }
  }

  private static boolean isSameLock(Write write, Write other) {
    return write.hold.lock().equals(other.hold.lock());
  }

  private List<Write> writes(History history) {
    Map<List<String>, Event> begun = new LinkedHashMap<>();
    List<Write> all = new ArrayList<>();
    for (Event event : history.events()) {
      List<String> writer = List.of(event.process(), event.owner(), event.lock());
      if (event.kind() != Event.Kind.WRITE) {
        continue;
      }
      if (event.phase() == Phase.INVOKE) {
        begun.put(writer, event);
      } else {
        add(all, begun.remove(writer), event.nanos(), event.phase());
      }
    }
    begun.values().forEach(begin -> add(all, begin, Long.MAX_VALUE, Phase.UNKNOWN));
    return all;
  }

  private void add(List<Write> all, Event begin, long end, Phase outcome) {
    holder(begin)
        .ifPresentOrElse(
            hold -> all.add(new Write(hold, begin.nanos(), end, outcome)),
            () -> broken.add("a token that no hold has: " + begin));
  }

  private Optional<RecordedHold> holder(Event write) {
    return holds.stream()
        .filter(hold -> hold.token().equals(write.token()))
        .filter(hold -> hold.process().equals(write.process()))
        .filter(hold -> hold.owner().equals(write.owner()) && hold.lock().equals(write.lock()))
        .findFirst();
  }
}
