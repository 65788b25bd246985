package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Timeline.LateWrite;
import dev.leasehold.testkit.history.Timeline.Refusal;
import dev.leasehold.testkit.history.Timeline.Stay;
import dev.leasehold.testkit.history.Timeline.Write;
import dev.leasehold.testkit.history.Violation.Blame;
import dev.leasehold.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The checks on one lock; each is a sorted sweep. */
final class LockChecks {
  /** A process may hand over at most this many tokens after a grant's first one. */
  private static final long MOST_HAND_OVERS = 1023;

  private final String lock;
  private final FaultModel model;
  private final List<RecordedHold> holds = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<Write> accepted = new ArrayList<>();
  private final List<LateWrite> lateWrites = new ArrayList<>();

  LockChecks(String lock, FaultModel model) {
    this.lock = lock;
    this.model = model;
  }

  void add(Timeline timeline) {
    holds.addAll(timeline.holds);
    stays.addAll(timeline.stays);
    refusals.addAll(timeline.refusals);
    accepted.addAll(timeline.accepted);
    lateWrites.addAll(timeline.lateWrites);
  }

  void run(List<Violation> found) {
    overlaps(found);
    tokens(found);
    staleWrites(found);
    lateWrites(found);
    if (model.requests() == FaultModel.Requests.IN_TIME) {
      refusals(found);
    }
  }

  private Violation violation(Kind kind, Blame blame, String message, long from, long to) {
    return new Violation(kind, blame, lock, message, from, to);
  }

  private boolean isInside() {
    return model.scope() == FaultModel.Scope.INSIDE;
  }

  private void overlaps(List<Violation> found) {
    RecordedHold longest = null;
    for (RecordedHold hold : sorted(holds, RecordedHold::start)) {
      if (hold.isEmpty()) {
        continue;
      }
      if (longest != null && longest.end() > hold.start()) {
        found.add(
            violation(
                Kind.OVERLAP,
                isInside() ? Blame.BUG : Blame.ENVIRONMENT,
                longest.who() + " and " + hold.who() + " held it at one time",
                longest.invoked(),
                Math.min(longest.end(), hold.end())));
      }
      if (longest == null || hold.end() > longest.end()) {
        longest = hold;
      }
    }
  }

  /**
   * A hold's token must be larger than that of every hold granted before it. A hold was certainly
   * granted before if it had returned when this acquisition started; and, where exclusion must
   * hold, also if it had ended when this one returned, as otherwise the two leases overlapped on
   * the store.
   *
   * <p>Where a lock may be lost, a process that has not noticed yet hands over its hold with tokens
   * of the old grant. Those are legitimately smaller, so a token that closely follows another one
   * of the same process is not judged.
   */
  private void tokens(List<Violation> found) {
    List<RecordedHold> known = holds.stream().filter(hold -> hold.token().isPresent()).toList();
    Sweep<RecordedHold> returned = new Sweep<>(known, RecordedHold::start, LockChecks::token);
    Sweep<RecordedHold> ended =
        new Sweep<>(
            isInside() ? known.stream().filter(hold -> !hold.isEmpty()).toList() : List.of(),
            RecordedHold::end,
            LockChecks::token);
    Map<String, NavigableSet<Long>> ofProcess = new HashMap<>();
    known.forEach(
        hold -> ofProcess.computeIfAbsent(hold.process(), p -> new TreeSet<>()).add(token(hold)));
    List<RecordedHold> smaller = new ArrayList<>();
    for (RecordedHold hold : sorted(known, RecordedHold::invoked)) {
      RecordedHold before = returned.highestBefore(hold.invoked());
      boolean judged = isInside() || !follows(hold, ofProcess);
      if (judged && before != null && token(before) >= token(hold)) {
        smaller.add(hold);
        found.add(notIncreasing(before, hold));
      }
    }
    Set<RecordedHold> reported = new HashSet<>(smaller);
    for (RecordedHold hold : sorted(known, RecordedHold::start)) {
      RecordedHold before =
          hold.isEmpty() ? null : ended.highestBefore(Math.addExact(hold.start(), 1));
      if (before != null && token(before) >= token(hold) && !reported.contains(hold)) {
        found.add(notIncreasing(before, hold));
      }
    }
  }

  private static boolean follows(RecordedHold hold, Map<String, NavigableSet<Long>> ofProcess) {
    NavigableSet<Long> tokens = ofProcess.get(hold.process());
    Long before = tokens == null ? null : tokens.lower(token(hold));
    return before != null && token(hold) - before <= MOST_HAND_OVERS;
  }

  private static long token(RecordedHold hold) {
    return hold.token().orElseThrow();
  }

  private Violation notIncreasing(RecordedHold before, RecordedHold hold) {
    return violation(
        Kind.TOKEN_NOT_INCREASING,
        Blame.BUG,
        hold.who() + " came after " + before.who(),
        before.invoked(),
        hold.start());
  }

  private void staleWrites(List<Violation> found) {
    Sweep<Write> done = new Sweep<>(accepted, Write::to, Write::token);
    for (Write write : sorted(accepted, Write::from)) {
      Write before = done.highestBefore(write.from());
      if (before != null && before.token() > write.token()) {
        found.add(
            violation(
                Kind.STALE_WRITE_ACCEPTED,
                Blame.BUG,
                "a write with token " + write.token() + " came after one with " + before.token(),
                before.from(),
                write.to()));
      }
    }
  }

  private void lateWrites(List<Violation> found) {
    for (LateWrite late : lateWrites) {
      found.add(
          violation(
              Kind.EFFECT_AFTER_DEADLINE,
              Blame.ENVIRONMENT,
              late.hold().who() + " wrote after its lease had ended",
              late.hold().invoked(),
              late.write().to()));
    }
  }

  /**
   * A token is foreign unless it belongs to the refused owner's current hold; an earlier token of
   * that owner that may still be on the store is foreign, too. The longest stay so far may be that
   * of the current hold, so the second longest is tracked as well.
   */
  private void refusals(List<Violation> found) {
    List<Stay> byFrom = sorted(stays, Stay::from);
    int next = 0;
    Stay longest = null;
    Stay second = null;
    for (Refusal refusal : sorted(refusals, Refusal::to)) {
      while (next < byFrom.size() && byFrom.get(next).from() <= refusal.to()) {
        Stay stay = byFrom.get(next++);
        if (longest == null || stay.to() > longest.to()) {
          second = longest;
          longest = stay;
        } else if (second == null || stay.to() > second.to()) {
          second = stay;
        }
      }
      Stay foreign = longest != null && longest.hold() == refusal.ownHold() ? second : longest;
      if (foreign == null || foreign.to() < refusal.from()) {
        found.add(
            violation(
                Kind.SPURIOUS_REFUSAL,
                Blame.BUG,
                refusal.key().process()
                    + "/"
                    + refusal.key().owner()
                    + " was refused, although no other owner can have held it",
                foreign == null ? refusal.from() : Math.min(foreign.to(), refusal.from()),
                refusal.to()));
      }
    }
  }

  private static <T> List<T> sorted(List<T> list, ToLongFunction<T> by) {
    List<T> sorted = new ArrayList<>(list);
    sorted.sort(Comparator.comparingLong(by));
    return sorted;
  }

  /** Sweeps a list by time and tracks the highest element passed. */
  private static final class Sweep<T> {
    private final List<T> byTime;
    private final ToLongFunction<T> time;
    private final ToLongFunction<T> height;
    private int next;
    private @Nullable T highest;

    Sweep(List<T> list, ToLongFunction<T> time, ToLongFunction<T> height) {
      this.byTime = sorted(list, time);
      this.time = time;
      this.height = height;
    }

    /**
     * The highest element whose time is before {@code instant}, which must not decrease between
     * calls.
     */
    @Nullable T highestBefore(long instant) {
      while (next < byTime.size() && time.applyAsLong(byTime.get(next)) < instant) {
        T passed = byTime.get(next++);
        T best = highest;
        if (best == null || height.applyAsLong(passed) > height.applyAsLong(best)) {
          highest = passed;
        }
      }
      return highest;
    }
  }
}
