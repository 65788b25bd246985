package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A history written by hand: actions of owners ("process/owner") on the lock "l", with times. */
final class Story {
  private final List<Event> events = new ArrayList<>();

  Story event(
      String who, Kind kind, Phase phase, long at, OptionalLong token, OptionalLong deadline) {
    String[] name = who.split("/", -1);
    events.add(new Event(name[0], name[1], "l", kind, phase, at, token, deadline));
    return this;
  }

  Story event(String who, Kind kind, Phase phase, long at) {
    return event(who, kind, phase, at, OptionalLong.empty(), OptionalLong.empty());
  }

  Story acquires(String who, long invoke, long ok, long token, long deadline) {
    return event(who, Kind.ACQUIRE, Phase.INVOKE, invoke)
        .event(who, Kind.ACQUIRE, Phase.OK, ok, OptionalLong.of(token), OptionalLong.of(deadline));
  }

  Story releases(String who, long invoke, long ok) {
    return event(who, Kind.RELEASE, Phase.INVOKE, invoke).event(who, Kind.RELEASE, Phase.OK, ok);
  }

  Story renewed(String who, long at, long deadline) {
    return event(who, Kind.RENEWED, Phase.OK, at, OptionalLong.empty(), OptionalLong.of(deadline));
  }

  Story refused(String who, long invoke, long fail) {
    return event(who, Kind.TRY_ACQUIRE, Phase.INVOKE, invoke)
        .event(who, Kind.TRY_ACQUIRE, Phase.FAIL, fail);
  }

  Story writes(String who, long invoke, long ok, long token) {
    return event(
            who, Kind.WRITE, Phase.INVOKE, invoke, OptionalLong.of(token), OptionalLong.empty())
        .event(who, Kind.WRITE, Phase.OK, ok);
  }

  Story died(String process, long at) {
    events.add(
        new Event(
            process, "", "", Kind.DIED, Phase.OK, at, OptionalLong.empty(), OptionalLong.empty()));
    return this;
  }

  History history() {
    return History.of(events);
  }

  Verdict check() {
    return HistoryChecker.check(history(), FaultModel.inside());
  }

  Verdict check(FaultModel model) {
    return HistoryChecker.check(history(), model);
  }

  List<Violation.Kind> finds() {
    return finds(FaultModel.inside());
  }

  List<Violation.Kind> finds(FaultModel model) {
    return check(model).violations().stream().map(Violation::kind).toList();
  }
}
