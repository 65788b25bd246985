package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.internal.EveryOrder.Call;
import dev.leasehold.lock.internal.EveryOrder.Scene;
import dev.leasehold.lock.internal.EveryOrderLock.Flaw;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
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
  private static final int TWIN_DEPTH = 5;

  private static final Set<Guarantee> POLLED =
      EnumSet.of(Guarantee.OWNED, Guarantee.FENCING, Guarantee.SERVER_EXPIRY);
  private static final Set<Guarantee> WOKEN = with(POLLED, Guarantee.WAKE_UP, Guarantee.WAKE_ONE);
  private static final Set<Guarantee> FAIR = with(WOKEN, Guarantee.FAIR);
  private static final Set<Guarantee> KEPT = with(WOKEN, Guarantee.LINGER);
  private static final Set<Guarantee> SHARED = with(WOKEN, Guarantee.SHARED);
  private static final Set<Guarantee> TOGETHER = with(WOKEN, Guarantee.TOGETHER);

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

  private static Scene scene(Set<Guarantee> guarantees, String... calls) {
    return new Scene(guarantees, Stream.of(calls).map(Call::of).toList());
  }

  static Stream<Scene> scenes() {
    return Stream.concat(
        Stream.of(POLLED, WOKEN, FAIR, KEPT, SHARED).flatMap(EveryOrderTest::ofOneName),
        Stream.of(POLLED, WOKEN, TOGETHER).flatMap(EveryOrderTest::ofSeveral));
  }

  private static Stream<Scene> ofOneName(Set<Guarantee> guarantees) {
    return Stream.of(
        scene(guarantees, "waits a x", "timed b x", "once c x"),
        scene(guarantees, "once a x", "timed b x", "waits c x"),
        scene(guarantees, "waits a x", "once a x", "timed b x"),
        scene(guarantees, "timed a x", "waits b x", "waits a x"));
  }

  private static Stream<Scene> ofSeveral(Set<Guarantee> guarantees) {
    return Stream.of(
        scene(guarantees, "waits a xy", "timed b y", "once c xy"),
        scene(guarantees, "waits a y", "timed b xy", "waits c yx"),
        scene(guarantees, "once a x", "once b xy", "waits a xy"));
  }

  @ParameterizedTest
  @MethodSource("scenes")
  @DisplayName("no holds overlap, fences grow, empty means contended, and nothing is left")
  void everyOrder(Scene scene) {
    int runs = explore(scene);
    assertTrue(runs > 100, () -> runs + " orders");
    for (int seed = 0; seed < RANDOM; seed++) {
      new EveryOrder(scene, Flaw.NONE).run(RANDOM_DEPTH, new Random(seed)::nextInt);
    }
  }

  @ParameterizedTest
  @MethodSource("scenes")
  @DisplayName("a server that grants what another has is found out in each scene")
  void twin(Scene scene) {
    assertFound(scene, Flaw.GRANTS_HELD);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  @DisplayName("any other wrong server is found out")
  void twins(Flaw flaw) {
    Scene scene = scene(WOKEN, "waits a x", "timed b x", "once c x");
    assertFound(scene, flaw);
  }

  private static void assertFound(Scene scene, Flaw flaw) {
    String expected =
        switch (flaw) {
          case NONE -> throw new IllegalArgumentException("no flaw");
          case GRANTS_HELD -> "two hold";
          case GRANTS_RELEASED, REFUSES_FREE -> "was empty, not contended";
          case SAME_FENCE -> "its fencing token is not larger";
          case FAILS -> "it failed for no reason";
        };
    Odometer odometer = new Odometer(TWIN_DEPTH);
    Set<String> others = new TreeSet<>();
    do {
      odometer.begin();
      try {
        new EveryOrder(scene, flaw).run(TWIN_DEPTH, odometer);
      } catch (AssertionError found) {
        String message = String.valueOf(found.getMessage());
        if (message.contains(expected)) {
          return;
        }
        others.add(message.substring(message.lastIndexOf(']')));
      }
    } while (odometer.advance());
    fail("no order in which \"" + expected + "\", but " + others);
  }

  /** Runs every order of {@link #DEPTH} events. Returns how many there are. */
  private static int explore(Scene scene) {
    Odometer odometer = new Odometer(DEPTH);
    int runs = 0;
    do {
      odometer.begin();
      new EveryOrder(scene, Flaw.NONE).run(DEPTH, odometer);
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
