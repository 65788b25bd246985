package dev.leasehold.lock.internal;

import static dev.leasehold.lock.internal.EveryOrder.How.ONCE;
import static dev.leasehold.lock.internal.EveryOrder.How.TIMED;
import static dev.leasehold.lock.internal.EveryOrder.How.WAITS;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.internal.EveryOrder.Call;
import dev.leasehold.lock.internal.EveryOrder.Scene;
import dev.leasehold.lock.internal.EveryOrderLock.Flaw;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Dleasehold.orders.depth=7} explores longer orders, {@code -Dleasehold.orders.random} more
 * of the long ones.
 */
@DisplayName("The engine, in every order of a handful of events")
class EveryOrderTest {
  private static final int DEPTH = Integer.getInteger("leasehold.orders.depth", 4);
  private static final int RANDOM = Integer.getInteger("leasehold.orders.random", 300);
  private static final int RANDOM_DEPTH = 25;

  private static final Set<Guarantee> POLLED =
      EnumSet.of(Guarantee.OWNED, Guarantee.FENCING, Guarantee.SERVER_EXPIRY);
  private static final Set<Guarantee> WOKEN = with(POLLED, Guarantee.WAKE_UP, Guarantee.WAKE_ONE);
  private static final Set<Guarantee> FAIR = with(WOKEN, Guarantee.FAIR);
  private static final Set<Guarantee> KEPT = with(WOKEN, Guarantee.LINGER);
  private static final Set<Guarantee> SHARED = with(WOKEN, Guarantee.SHARED);
  private static final Set<Guarantee> TOGETHER = with(WOKEN, Guarantee.TOGETHER);
  private static final Scene DEFAULT =
      scene(WOKEN, new Call(WAITS, "a", "x"), new Call(TIMED, "b", "x"), new Call(ONCE, "c", "x"));

  /** The store fails on purpose, again and again: its log lines say nothing. */
  private final LogLines log = new LogLines();

  @AfterEach
  void close() {
    log.close();
  }

  private static Set<Guarantee> with(Set<Guarantee> some, Guarantee... more) {
    Set<Guarantee> all = EnumSet.copyOf(some);
    all.addAll(List.of(more));
    return all;
  }

  private static Scene scene(Set<Guarantee> guarantees, Call... calls) {
    return new Scene(guarantees, List.of(calls));
  }

  static Stream<Scene> scenes() {
    return Stream.concat(
        Stream.of(POLLED, WOKEN, FAIR, KEPT, SHARED).flatMap(EveryOrderTest::ofOneName),
        Stream.of(POLLED, WOKEN, TOGETHER).flatMap(EveryOrderTest::ofSeveral));
  }

  private static Stream<Scene> ofOneName(Set<Guarantee> guarantees) {
    return Stream.of(
        scene(
            guarantees,
            new Call(WAITS, "a", "x"),
            new Call(TIMED, "b", "x"),
            new Call(ONCE, "c", "x")),
        scene(
            guarantees,
            new Call(ONCE, "a", "x"),
            new Call(TIMED, "b", "x"),
            new Call(WAITS, "c", "x")),
        scene(
            guarantees,
            new Call(WAITS, "a", "x"),
            new Call(ONCE, "a", "x"),
            new Call(TIMED, "b", "x")),
        scene(
            guarantees,
            new Call(TIMED, "a", "x"),
            new Call(WAITS, "b", "x"),
            new Call(WAITS, "a", "x")));
  }

  private static Stream<Scene> ofSeveral(Set<Guarantee> guarantees) {
    return Stream.of(
        scene(
            guarantees,
            new Call(WAITS, "a", "xy"),
            new Call(TIMED, "b", "y"),
            new Call(ONCE, "c", "xy")),
        scene(
            guarantees,
            new Call(WAITS, "a", "y"),
            new Call(TIMED, "b", "xy"),
            new Call(WAITS, "c", "yx")),
        scene(
            guarantees,
            new Call(ONCE, "a", "x"),
            new Call(ONCE, "b", "xy"),
            new Call(WAITS, "a", "xy")));
  }

  @ParameterizedTest
  @MethodSource("scenes")
  @DisplayName("no holds overlap, fences grow, empty means contended, and nothing is left")
  void everyOrder(Scene scene) {
    int runs = explore(scene, Flaw.NONE, DEPTH);
    assertTrue(runs > 100, () -> runs + " orders");
    for (int seed = 0; seed < RANDOM; seed++) {
      new EveryOrder(scene, Flaw.NONE).run(RANDOM_DEPTH, new Random(seed)::nextInt);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  @DisplayName("a server that is wrong is found out")
  void twins(Flaw flaw) {
    assertThrows(AssertionError.class, () -> explore(DEFAULT, flaw, 5));
  }

  /** Runs every order of so many events. Returns how many there are. */
  private static int explore(Scene scene, Flaw flaw, int depth) {
    Odometer odometer = new Odometer(depth);
    int runs = 0;
    do {
      odometer.begin();
      new EveryOrder(scene, flaw).run(depth, odometer);
      runs++;
    } while (odometer.advance());
    return runs;
  }

  /** Counts through all sequences of choices, where each choice decides what the next may be. */
  private static final class Odometer implements IntUnaryOperator {
    private final int[] chosen;
    private final int[] possible;
    private int made;

    Odometer(int depth) {
      chosen = new int[depth];
      possible = new int[depth];
    }

    void begin() {
      made = 0;
    }

    @Override
    public int applyAsInt(int count) {
      possible[made] = count;
      return chosen[made++];
    }

    /** Moves to the next sequence. Returns false after the last. */
    boolean advance() {
      int last = made - 1;
      while (last >= 0 && chosen[last] + 1 == possible[last]) {
        chosen[last--] = 0;
      }
      if (last >= 0) {
        chosen[last]++;
      }
      return last >= 0;
    }
  }
}
