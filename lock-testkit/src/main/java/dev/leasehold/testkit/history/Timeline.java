package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Folds the events of one owner on one lock into holds, stays, refusals and writes. */
final class Timeline {
  /** One owner on one lock. */
  record Key(String process, String owner, String lock) {}

  /**
   * The time during which a token may have been on the store: wider than the hold, if there was
   * one.
   */
  record Stay(Object hold, long from, long to) {}

  /** A refused attempt that did not wait, and its owner's hold at that time, if any. */
  record Refusal(Key key, @Nullable Object ownHold, long from, long to) {}

  /** An accepted write. */
  record Write(Key key, long from, long to, long token) {}

  /** A write that started after its writer's lease had ended. */
  record LateWrite(Write write, RecordedHold hold) {}

  final List<RecordedHold> holds = new ArrayList<>();
  final List<Stay> stays = new ArrayList<>();
  final List<Refusal> refusals = new ArrayList<>();
  final List<Write> accepted = new ArrayList<>();
  final List<LateWrite> lateWrites = new ArrayList<>();

  private final Key key;
  private final FaultModel model;
  private @Nullable Event pending;
  private @Nullable Draft draft;

  /** A hold that has not ended. */
  private static final class Draft {
    final long invoked;
    final long start;
    final OptionalLong token;
    final List<Write> writes = new ArrayList<>(0);
    int depth = 1;
    boolean hasDeadline;
    long deadline;

    /** When it ended by release, loss or death; never later than observed. */
    long ended = Long.MAX_VALUE;

    Draft(long invoked, Event granted) {
      this.invoked = invoked;
      this.start = granted.nanos();
      this.token = granted.token();
      see(granted.deadline());
    }

    /** Only a later deadline counts: renewals never shorten a lease. */
    void see(OptionalLong seen) {
      if (seen.isPresent()) {
        deadline = hasDeadline ? Math.max(deadline, seen.getAsLong()) : seen.getAsLong();
        hasDeadline = true;
      }
    }

    /** Without a known deadline, the lease had ended before it could be read. */
    long end() {
      return Math.min(ended, hasDeadline ? deadline : start);
    }
  }

  Timeline(Key key, FaultModel model) {
    this.key = key;
    this.model = model;
  }

  String lock() {
    return key.lock();
  }

  boolean isOf(String process) {
    return key.process().equals(process);
  }

  void add(Event e) {
    switch (e.phase()) {
      case INVOKE -> invoke(e);
      case OK, FAIL, UNKNOWN -> {
        switch (e.kind()) {
          case RENEWED -> seen(e);
          case LOST -> lost(e);
          case DIED -> died(e.nanos());
          default -> outcome(begun(e), e);
        }
      }
    }
  }

  private void invoke(Event e) {
    if (pending != null) {
      throw illFormed(e, "began while the owner's " + pending.kind() + " was under way");
    }
    if (e.kind() == Kind.RELEASE) {
      Draft hold = draft;
      if (hold == null) {
        throw illFormed(e, "released what it does not hold");
      }
      hold.see(e.deadline());
      if (hold.depth == 1) {
        hold.ended = Math.min(hold.ended, e.nanos());
      }
    }
    pending = e;
  }

  private Event begun(Event e) {
    Event begin = pending;
    if (begin == null || begin.kind() != e.kind()) {
      throw illFormed(e, "has an outcome but no begin");
    }
    pending = null;
    return begin;
  }

  private void outcome(Event begin, Event e) {
    switch (e.kind()) {
      case ACQUIRE, TRY_ACQUIRE -> acquired(begin, e);
      case EXTEND -> {
        if (e.phase() == Phase.OK) {
          seen(e);
        }
      }
      case RELEASE -> released(e);
      case WRITE -> written(begin, e);
      default -> throw illFormed(e, "has no outcome");
    }
  }

  private void acquired(Event begin, Event e) {
    Draft hold = draft;
    if (e.phase() == Phase.OK) {
      if (hold == null) {
        draft = new Draft(begin.nanos(), e);
      } else {
        hold.depth++;
        hold.see(e.deadline());
      }
    } else if (e.is(Kind.TRY_ACQUIRE, Phase.FAIL)) {
      refusals.add(new Refusal(key, hold, begin.nanos(), e.nanos()));
    } else {
      stays.add(new Stay(e, begin.nanos(), model.stayEnd(e.nanos())));
    }
  }

  private void seen(Event e) {
    if (draft != null) {
      draft.see(e.deadline());
    }
  }

  private void lost(Event e) {
    if (draft != null) {
      draft.ended = Math.min(draft.ended, e.nanos());
    }
  }

  private void released(Event e) {
    Draft hold = draft;
    if (hold != null && --hold.depth == 0) {
      end(hold, e.phase() == Phase.OK ? e.nanos() : model.stayEnd(e.nanos()));
    }
  }

  private void written(Event begin, Event e) {
    if (e.phase() != Phase.OK || begin.token().isEmpty()) {
      return;
    }
    Write write = new Write(key, begin.nanos(), e.nanos(), begin.token().getAsLong());
    accepted.add(write);
    if (draft != null) {
      draft.writes.add(write);
    }
  }

  private void died(long at) {
    Draft hold = draft;
    if (hold != null) {
      hold.ended = Math.min(hold.ended, at);
      end(hold, model.stayEnd(at));
    } else if (pending != null) {
      stays.add(new Stay(pending, pending.nanos(), model.stayEnd(at)));
    }
    pending = null;
  }

  /** At the end of the history: an operation without an outcome may stay on the store for ever. */
  void finish() {
    Draft hold = draft;
    Event begun = pending;
    if (hold != null) {
      end(hold, Long.MAX_VALUE);
    } else if (begun != null) {
      stays.add(new Stay(begun, begun.nanos(), Long.MAX_VALUE));
    }
  }

  private void end(Draft draft, long stayEnd) {
    this.draft = null;
    RecordedHold hold =
        new RecordedHold(
            key.process(),
            key.owner(),
            key.lock(),
            draft.token,
            draft.invoked,
            draft.start,
            draft.end());
    holds.add(hold);
    stays.add(new Stay(draft, draft.invoked, stayEnd));
    for (Write write : draft.writes) {
      if (write.from() >= hold.end()) {
        lateWrites.add(new LateWrite(write, hold));
      }
    }
  }

  private static IllegalArgumentException illFormed(Event e, String problem) {
    return new IllegalArgumentException("not a history: " + problem + ": " + EventFormat.line(e));
  }
}
