package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * VoteCount small histories of one lock by looking at everything against everything, instant by
 * instant. Written from the rules, not from the checker.
 */
final class BruteForce {
  private final List<List<Event>> owners;
  private final List<Event> deaths;
  private final FaultModel model;
  private final long last;

  /** From an outermost acquisition, by the indices of its events in the owner's list. */
  private record Span(List<Event> owner, int invoke, int ok, int outOf) {}

  BruteForce(History history, FaultModel model) {
    this.model = model;
    deaths = history.events().stream().filter(e -> e.kind() == Kind.DIED).toList();
    owners =
        List.copyOf(
            history.events().stream()
                .filter(e -> e.kind() != Kind.DIED)
                .collect(Collectors.groupingBy(e -> e.process() + "/" + e.owner()))
                .values());
    last = history.events().stream().mapToLong(Event::nanos).max().orElse(0) + 100;
  }

  Map<Violation.Kind, Integer> counts() {
    Map<Violation.Kind, Integer> counts = new EnumMap<>(Violation.Kind.class);
    List<Span> spans = owners.stream().flatMap(o -> spans(o).stream()).toList();
    counts.put(Violation.Kind.OVERLAP, overlaps(spans));
    counts.put(Violation.Kind.TOKEN_NOT_INCREASING, tokens(spans));
    counts.put(Violation.Kind.EFFECT_AFTER_DEADLINE, lateWrites(spans));
    counts.put(Violation.Kind.STALE_WRITE_ACCEPTED, staleWrites());
    counts.put(Violation.Kind.SPURIOUS_REFUSAL, refusals(spans));
    counts.values().removeIf(n -> n == 0);
    return counts;
  }

  private static boolean isGrant(Event e) {
    return e.is(Kind.ACQUIRE, Phase.OK) || e.is(Kind.TRY_ACQUIRE, Phase.OK);
  }

  private static boolean isEndOfRelease(Event e) {
    return e.kind() == Kind.RELEASE && e.phase() != Phase.INVOKE;
  }

  /**
   * Every outermost grant, with the index of the outcome of its last release (or the list's end).
   */
  private static List<Span> spans(List<Event> owner) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < owner.size(); i++) {
      if (!isGrant(owner.get(i)) || depthBefore(owner, i) > 0) {
        continue;
      }
      int out = i + 1;
      while (out < owner.size() && depthBefore(owner, out + 1) > 0) {
        out++;
      }
      spans.add(new Span(owner, i - 1, i, out));
    }
    return spans;
  }

  private static long depthBefore(List<Event> owner, int index) {
    List<Event> before = owner.subList(0, index);
    return before.stream().filter(BruteForce::isGrant).count()
        - before.stream().filter(BruteForce::isEndOfRelease).count();
  }

  /** Whether the span's owner held the lock during [instant, instant + 1). */
  private boolean holds(Span span, long instant) {
    List<Event> owner = span.owner;
    if (owner.get(span.ok).nanos() > instant) {
      return false;
    }
    boolean deadlineAhead = false;
    for (int i = span.ok; i < Math.min(span.outOf + 1, owner.size()); i++) {
      Event e = owner.get(i);
      boolean confirms =
          isGrant(e)
              || e.is(Kind.RENEWED, Phase.OK)
              || e.is(Kind.EXTEND, Phase.OK)
              || e.is(Kind.RELEASE, Phase.INVOKE);
      deadlineAhead |= confirms && e.deadline().isPresent() && e.deadline().getAsLong() > instant;
      boolean lastRelease = e.is(Kind.RELEASE, Phase.INVOKE) && depthBefore(owner, i) == 1;
      if ((lastRelease || e.is(Kind.LOST, Phase.OK)) && e.nanos() <= instant) {
        return false;
      }
    }
    boolean dead =
        span.outOf >= owner.size()
            && deaths.stream().anyMatch(d -> isOf(d, owner) && d.nanos() <= instant);
    return deadlineAhead && !dead;
  }

  private static boolean isOf(Event death, List<Event> owner) {
    return owner.get(0).process().equals(death.process());
  }

  private long begin(Span span) {
    return span.owner.get(span.ok).nanos();
  }

  private boolean isEmpty(Span span) {
    return !holds(span, begin(span));
  }

  /** The first instant that it does not hold. */
  private long end(Span span) {
    long t = begin(span);
    while (holds(span, t)) {
      t++;
    }
    return t;
  }

  private int overlaps(List<Span> spans) {
    int found = 0;
    for (int i = 0; i < spans.size(); i++) {
      Span b = spans.get(i);
      boolean meets = false;
      for (int j = 0; j < spans.size() && !isEmpty(b); j++) {
        Span a = spans.get(j);
        boolean earlier = begin(a) < begin(b) || (begin(a) == begin(b) && j < i);
        meets |= earlier && !isEmpty(a) && holds(a, begin(b));
      }
      found += meets ? 1 : 0;
    }
    return found;
  }

  private int tokens(List<Span> spans) {
    int found = 0;
    for (Span b : spans) {
      boolean wrong = false;
      for (Span a : spans) {
        Event grantA = a.owner.get(a.ok);
        Event grantB = b.owner.get(b.ok);
        if (a == b || grantA.token().isEmpty() || grantB.token().isEmpty()) {
          continue;
        }
        boolean handedOnOutside =
            model.scope() == FaultModel.Scope.OUTSIDE
                && spans.stream()
                    .map(other -> other.owner.get(other.ok))
                    .filter(other -> other.process().equals(grantB.process()))
                    .filter(other -> other.token().isPresent())
                    .mapToLong(other -> grantB.token().getAsLong() - other.token().getAsLong())
                    .anyMatch(more -> more > 0 && more < 1024);
        boolean certainlyBefore =
            !handedOnOutside && grantA.nanos() < b.owner.get(b.invoke).nanos();
        boolean before =
            model.scope() == FaultModel.Scope.INSIDE
                && !isEmpty(a)
                && !isEmpty(b)
                && end(a) <= begin(b);
        wrong |=
            (certainlyBefore || before) && grantA.token().getAsLong() >= grantB.token().getAsLong();
      }
      found += wrong ? 1 : 0;
    }
    return found;
  }

  /** Writes as pairs of begin and acceptance. */
  private static List<Event[]> accepted(List<Event> owner) {
    List<Event[]> writes = new ArrayList<>();
    for (int i = 1; i < owner.size(); i++) {
      if (owner.get(i).is(Kind.WRITE, Phase.OK)) {
        writes.add(new Event[] {owner.get(i - 1), owner.get(i)});
      }
    }
    return writes;
  }

  private int lateWrites(List<Span> spans) {
    int found = 0;
    for (Span span : spans) {
      for (int i = span.ok; i < Math.min(span.outOf, span.owner.size()); i++) {
        if (span.owner.get(i).is(Kind.WRITE, Phase.OK)) {
          long began = span.owner.get(i - 1).nanos();
          found += holds(span, Math.max(began, begin(span))) ? 0 : 1;
        }
      }
    }
    return found;
  }

  private int staleWrites() {
    List<Event[]> all = owners.stream().flatMap(o -> accepted(o).stream()).toList();
    int found = 0;
    for (Event[] b : all) {
      boolean stale = false;
      for (Event[] a : all) {
        stale |= a[1].nanos() < b[0].nanos() && a[0].token().getAsLong() > b[0].token().getAsLong();
      }
      found += stale ? 1 : 0;
    }
    return found;
  }

  private int refusals(List<Span> spans) {
    int found = 0;
    for (List<Event> owner : owners) {
      for (int i = 1; i < owner.size(); i++) {
        if (owner.get(i).is(Kind.TRY_ACQUIRE, Phase.FAIL)) {
          boolean met = false;
          int index = i;
          for (long t = owner.get(i - 1).nanos(); t <= owner.get(i).nanos(); t++) {
            long instant = t;
            met |= spans.stream().anyMatch(s -> !isOwn(s, owner, index) && mayStay(s, instant));
            met |= owners.stream().anyMatch(o -> mayAttempt(o, instant));
          }
          found += met ? 0 : 1;
        }
      }
    }
    return found;
  }

  /** Whether an event of the owner lies within the span. */
  private static boolean isOwn(Span span, List<Event> owner, int index) {
    return span.owner == owner && span.ok < index && index <= span.outOf;
  }

  private boolean mayStay(Span span, long instant) {
    if (span.owner.get(span.invoke).nanos() > instant) {
      return false;
    }
    if (span.outOf < span.owner.size()) {
      Event out = span.owner.get(span.outOf);
      return instant <= (out.phase() == Phase.OK ? out.nanos() : stay(out.nanos()));
    }
    return deaths.stream()
        .filter(d -> isOf(d, span.owner))
        .allMatch(d -> instant <= stay(d.nanos()));
  }

  /** Whether an attempt that got nothing, or of which nothing is known, may have had the lock. */
  private boolean mayAttempt(List<Event> owner, long instant) {
    for (int i = 0; i < owner.size(); i++) {
      Event e = owner.get(i);
      boolean attempt = e.kind() == Kind.ACQUIRE || e.kind() == Kind.TRY_ACQUIRE;
      if (e.phase() != Phase.INVOKE || e.nanos() > instant) {
        continue;
      }
      if (i + 1 < owner.size()) {
        Event out = owner.get(i + 1);
        boolean open = out.phase() == Phase.UNKNOWN || out.is(Kind.ACQUIRE, Phase.FAIL);
        if (attempt && open && instant <= stay(out.nanos())) {
          return true;
        }
      } else if (depthBefore(owner, i + 1) == 0) {
        return deaths.stream()
            .filter(d -> isOf(d, owner))
            .allMatch(d -> instant <= stay(d.nanos()));
      }
    }
    return false;
  }

  private long stay(long lastHeardOf) {
    return model.longestStay().map(d -> lastHeardOf + d.toNanos()).orElse(last);
  }
}
