package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.name.PollingPace;
import dev.leasehold.lock.spi.AcquireResult.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** By a clock that stands still but for the pauses; times are in milliseconds. */
@DisplayName("A polling waiter's pause follows how long holds last")
class PollingPaceTest {
  private static final WaitStrategy STRATEGY = WaitStrategy.defaults();
  private static final long LEASE = 20_000;

  /** For how long an answer is under way, each way. */
  private static final long WAY = 1;

  private final PollingPace pace = new PollingPace();
  private Duration resolution = Duration.ofMillis(1);
  private long now = 77_777;

  /** Asks once, and pauses: for how long. {@code ends} returns when the lease of a moment ends. */
  private long ask(LongUnaryOperator ends) {
    return ask(ends, WAY);
  }

  private long ask(LongUnaryOperator ends, long way) {
    long askedAt = now;
    now += way;
    Held refusal = new Held(Duration.ofMillis(ends.applyAsLong(now) - now), resolution);
    now += WAY;
    Duration pause = pace.after(refusal, nanos(askedAt), nanos(now), STRATEGY);
    now += pause.toMillis();
    return pause.toMillis();
  }

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private List<Long> ask(int times, LongUnaryOperator ends) {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      pauses.add(ask(ends));
    }
    return pauses;
  }

  /** How often it asks in so long a time. */
  private int asksIn(long millis, LongUnaryOperator ends) {
    long end = now + millis;
    int asks = 0;
    while (now < end) {
      ask(ends);
      asks++;
    }
    return asks;
  }

  /** Holds that begin one after another, each so long after the last. */
  private static LongUnaryOperator holdsOf(long millis) {
    return at -> at - at % millis + LEASE;
  }

  /** As those, with ends in whole seconds. */
  private LongUnaryOperator inSeconds(LongUnaryOperator ends) {
    resolution = Duration.ofSeconds(1);
    return at -> ends.applyAsLong(at) / 1000 * 1000 + 1000;
  }

  private LongUnaryOperator oneHold() {
    long end = now + LEASE * 10;
    return at -> end;
  }

  @Test
  @DisplayName("One hold: the pause doubles, from the shortest to the longest")
  void oneHoldThatLasts() {
    assertEquals(List.of(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L), ask(8, oneHold()));
  }

  @Test
  @DisplayName("Holds shorter than the shortest pause: it stays the shortest")
  void neverPausing() {
    assertEquals(List.of(20L), ask(100, at -> at + LEASE).stream().distinct().toList());
  }

  @Test
  @DisplayName("Holds of a while: about as many questions as holds")
  void followsHolds() {
    for (long hold : new long[] {50, 100, 300, 700}) {
      int asks = asksIn(20 * hold, holdsOf(hold));
      assertTrue(asks >= 15 && asks <= 60, "holds of " + hold + " ms: " + asks + " for 20");
    }
  }

  @Test
  @DisplayName("Another waiter begins with the shortest pause, and knows what the last one saw")
  void begins() {
    LongUnaryOperator held = oneHold();
    ask(5, held);
    pace.begin();
    assertEquals(List.of(20L, 40L, 80L), ask(3, held));
  }

  @Test
  @DisplayName("Others begin to take turns: the pause shrinks; one keeps it: it grows again")
  void adapts() {
    ask(8, oneHold());
    assertTrue(asksIn(5000, holdsOf(10)) > 100, "asks often");
    assertEquals(20, ask(holdsOf(10)));
    LongUnaryOperator held = oneHold();
    ask(2, held);
    assertEquals(List.of(80L, 160L, 320L), ask(3, held));
  }

  @Test
  @DisplayName("A renewal is no reason to ask often")
  void renewal() {
    LongUnaryOperator renewed = holdsOf(10_000);
    assertTrue(asksIn(60_000, renewed) < 90, "one a second, and a few");
  }

  @Test
  @DisplayName("Ends in whole seconds: short holds are still detected, within a few seconds")
  void wholeSeconds() {
    LongUnaryOperator shown = inSeconds(at -> at + LEASE);
    asksIn(5000, shown);
    assertEquals(List.of(20L), ask(100, shown).stream().distinct().toList());
  }

  @Test
  @DisplayName("... and one that lasts is not asked for more often for it")
  void wholeSecondsOneHold() {
    LongUnaryOperator shown = inSeconds(oneHold());
    assertEquals(List.of(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L), ask(8, shown));
    assertTrue(asksIn(60_000, inSeconds(holdsOf(6000))) < 100, "ten holds of six seconds");
  }

  @Test
  @DisplayName("A shorter lease after a longer one belongs to another owner")
  void shorterLease() {
    LongUnaryOperator held = oneHold();
    ask(6, held);
    assertEquals(320, ask(at -> now + 3000));
  }

  @Test
  @DisplayName("An answer that was long under way is no other hold")
  void slowAnswers() {
    LongUnaryOperator held = oneHold();
    long[] ways = {1, 300, 1, 90, 1};
    List<Long> pauses = new ArrayList<>();
    for (long way : ways) {
      pauses.add(ask(held, way));
    }
    assertEquals(List.of(20L, 40L, 80L, 160L, 320L), pauses);
  }

  @Test
  @DisplayName("Nodes that report somewhat different ends of one hold are no other holds")
  void nodesDiffer() {
    LongUnaryOperator held = oneHold();
    List<Long> pauses = ask(6, at -> held.applyAsLong(at) + at / 20 % 2 * 8);
    assertEquals(List.of(20L, 40L, 80L, 160L, 320L, 640L), pauses);
  }

  @Test
  @DisplayName("A lock without an end: as one hold that lasts")
  void endless() {
    LongUnaryOperator endless = at -> at + Held.ENDLESS.toMillis();
    assertEquals(List.of(20L, 40L, 80L, 160L, 320L, 640L, 1000L), ask(7, endless));
    Held farAway = new Held(Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals(Duration.ofSeconds(1), pace.after(farAway, nanos(now), nanos(now), STRATEGY));
  }

  @Test
  @DisplayName("The bounds are the waiter's own")
  void bounds() {
    LongUnaryOperator held = oneHold();
    ask(8, held);
    Duration brief = Duration.ofMillis(5);
    Held refusal = new Held(Duration.ofMillis(held.applyAsLong(now) - now));
    assertEquals(brief, pace.after(refusal, nanos(now), nanos(now), WaitStrategy.every(brief)));
  }
}
