package dev.leasehold.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Small random histories, possible or not, on which the sweeps and brute force must agree. */
class BruteForceTest {
  private static final int HISTORIES = Integer.getInteger("leasehold.histories", 20_000);

  @Test
  @DisplayName("The checker and brute force agree on every small random history")
  void agree() {
    Map<Violation.Kind, Integer> seen = new EnumMap<>(Violation.Kind.class);
    int clean = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FaultModel model = random.nextInt(3) == 0 ? FaultModel.outside() : FaultModel.inside();
      if (random.nextBoolean()) {
        model = model.staysAtMost(Duration.ofNanos(random.nextInt(10)));
      }
      History history = random(random);
      Map<Violation.Kind, Integer> expected = new BruteForce(history, model).counts();
      Map<Violation.Kind, Integer> found = new EnumMap<>(Violation.Kind.class);
      Verdict verdict = HistoryChecker.check(history, model);
      verdict.violations().forEach(v -> found.merge(v.kind(), 1, Integer::sum));
      long thisSeed = seed;
      assertEquals(
          expected,
          found,
          () -> "seed " + thisSeed + "\n" + verdict + history.excerpt("l", 0, 1000, 100));
      found.keySet().forEach(kind -> seen.merge(kind, 1, Integer::sum));
      clean += found.isEmpty() ? 1 : 0;
    }
    System.out.println(HISTORIES + " random histories, " + clean + " clean, others: " + seen);
    assertEquals(Violation.Kind.values().length, seen.size(), "each kind must have come up");
    assertTrue(clean > HISTORIES / 50, "and right histories too");
  }

  private static History random(SplittableRandom random) {
    List<List<Event>> owners = new ArrayList<>();
    int count = 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      owners.add(owner(random, "p" + i % 2, "o" + i));
    }
    Collections.shuffle(owners, new java.util.Random(random.nextLong()));
    List<Event> all = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      long latest = 0;
      for (List<Event> owner : owners) {
        if (owner.get(0).process().equals("p0")) {
          latest = Math.max(latest, owner.get(owner.size() - 1).nanos());
        }
      }
      all.add(event("p0", "", "", Kind.DIED, Phase.OK, latest + random.nextInt(5)));
    }
    owners.forEach(all::addAll);
    return History.of(all);
  }

  private static Event event(
      String process, String owner, String lock, Kind kind, Phase phase, long at) {
    return new Event(
        process, owner, lock, kind, phase, at, OptionalLong.empty(), OptionalLong.empty());
  }

  /** What one owner may write down in some order, at times that never go back. */
  private static List<Event> owner(SplittableRandom random, String process, String owner) {
    List<Event> events = new ArrayList<>();
    int steps = 1 + random.nextInt(6);
    long now = random.nextInt(20);
    int depth = 0;
    for (int i = 0; i < steps; i++) {
      Kind kind = kind(random, depth);
      long token = 2048 * (1 + random.nextInt(3)) + random.nextInt(2);
      boolean single = kind == Kind.RENEWED || kind == Kind.LOST;
      if (!single) {
        events.add(
            new Event(
                process,
                owner,
                "l",
                kind,
                Phase.INVOKE,
                now,
                kind == Kind.WRITE ? OptionalLong.of(token) : OptionalLong.empty(),
                kind == Kind.RELEASE ? deadline(random, now) : OptionalLong.empty()));
        now += random.nextInt(5);
        if (i == steps - 1 && random.nextInt(4) == 0) {
          break;
        }
      }
      Phase phase =
          single || random.nextInt(3) > 0
              ? Phase.OK
              : random.nextBoolean() ? Phase.FAIL : Phase.UNKNOWN;
      boolean acquires = kind == Kind.ACQUIRE || kind == Kind.TRY_ACQUIRE;
      boolean granted = acquires && phase == Phase.OK;
      events.add(
          new Event(
              process,
              owner,
              "l",
              kind,
              phase,
              now,
              granted && random.nextInt(8) > 0 ? OptionalLong.of(token) : OptionalLong.empty(),
              granted || kind == Kind.RENEWED || kind == Kind.EXTEND
                  ? deadline(random, now)
                  : OptionalLong.empty()));
      depth += granted ? 1 : kind == Kind.RELEASE ? -1 : 0;
      now += random.nextInt(6);
    }
    return events;
  }

  private static OptionalLong deadline(SplittableRandom random, long now) {
    return random.nextInt(10) == 0
        ? OptionalLong.empty()
        : OptionalLong.of(now - 2 + random.nextInt(12));
  }

  private static Kind kind(SplittableRandom random, int depth) {
    if (depth == 0) {
      return switch (random.nextInt(7)) {
        case 0 -> Kind.TRY_ACQUIRE;
        case 1 -> Kind.WRITE;
        case 2 -> Kind.LOST;
        default -> Kind.ACQUIRE;
      };
    }
    return switch (random.nextInt(10)) {
      case 0 -> Kind.ACQUIRE;
      case 1 -> Kind.TRY_ACQUIRE;
      case 2 -> Kind.EXTEND;
      case 3 -> Kind.RENEWED;
      case 4 -> Kind.LOST;
      case 5, 6 -> Kind.WRITE;
      default -> Kind.RELEASE;
    };
  }
}
