package dev.leasehold.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(QuietLog.class)
class SimWorldTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static Duration ms(long n) {
    return Duration.ofMillis(n);
  }

  @Test
  void eventsRunInTheOrderOfTheirTime() {
    SimWorld world = new SimWorld(1);
    List<String> ran = new ArrayList<>();
    world.after(ms(2), () -> ran.add("c"));
    world.after(ms(1), () -> ran.add("a"));
    world.after(ms(1), () -> ran.add("b"));
    world.after(ms(1), () -> ran.add("never")).cancel();
    world.after(ms(1), () -> world.after(Duration.ZERO, () -> ran.add("then")));
    world.run(ms(1));
    assertEquals(List.of("a", "b", "then"), ran);
    assertEquals(1_000_000, world.nanos());
    assertTrue(world.runUntilQuiescent(SECOND));
    assertEquals(List.of("a", "b", "then", "c"), ran);
    assertEquals(2_000_000, world.nanos());
  }

  @Test
  void tiesBySeedAreTheSameForTheSameSeedAlone() {
    assertEquals(order(1), order(1));
    assertNotEquals(order(1), order(2));
    assertNotEquals(order(3), order(4));
  }

  private static List<Integer> order(long seed) {
    SimWorld world = new SimWorld(seed, SimWorld.Ties.SEEDED);
    List<Integer> ran = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int n = i;
      world.after(ms(1), () -> ran.add(n));
    }
    world.run(SECOND);
    return ran;
  }

  @Test
  void waitsForConditionsAndStages() {
    SimWorld world = new SimWorld(1);
    CompletableFuture<String> stage = new CompletableFuture<>();
    world.after(ms(7), () -> stage.complete("x"));
    assertFalse(world.runUntil(stage::isDone, ms(6)));
    assertEquals("x", world.await(stage));
    assertEquals(7_000_000, world.nanos());
    SimFailure late =
        assertThrows(SimFailure.class, () -> world.await(new CompletableFuture<>(), SECOND));
    assertTrue(late.getMessage().contains("seed 1"), late::getMessage);
    assertThrows(
        IllegalStateException.class,
        () -> world.await(CompletableFuture.failedFuture(new IllegalStateException())));
  }

  @Test
  void aFailureTellsSeedAndTrace() {
    SimWorld world = new SimWorld(77);
    world.trace("me", "was here");
    world.after(
        ms(1),
        () -> {
          throw new IllegalStateException("boom");
        });
    SimFailure failure = assertThrows(SimFailure.class, () -> world.run(SECOND));
    assertTrue(failure.getMessage().contains("boom"), failure::getMessage);
    assertTrue(failure.getMessage().contains("seed 77"), failure::getMessage);
    assertTrue(failure.getMessage().contains("was here"), failure::getMessage);
  }

  @Test
  void theTraceIsTheLastOrAll() {
    assertTrue(afterManyLines(new SimWorld(1)).contains("earlier lines"));
    SimWorld traced = new SimWorld(1);
    traced.traceAll();
    assertTrue(afterManyLines(traced).contains("line 0 "));
  }

  private static String afterManyLines(SimWorld world) {
    for (int i = 0; i < 1000; i++) {
      world.trace("me", "line " + i + " ");
    }
    return world.toString();
  }

  @Test
  void timeThatStandsStillIsNoticed() {
    SimWorld world = new SimWorld(1);
    Runnable[] again = new Runnable[1];
    again[0] = () -> world.after(Duration.ZERO, again[0]);
    again[0].run();
    assertThrows(SimFailure.class, () -> world.run(SECOND));
  }

  @Test
  void clocksDriftAndMayOverflow() {
    SimWorld world = new SimWorld(1);
    SimNode fast = world.node("fast", SimClock.fasterBy(10_000));
    SimNode old = world.node("old", new SimClock(Long.MAX_VALUE - 5, -10_000));
    long before = old.ticker().nanos();
    List<Long> rang = new ArrayList<>();
    fast.scheduler().schedule(SECOND, () -> rang.add(world.nanos()));
    old.scheduler().schedule(SECOND, () -> rang.add(world.nanos()));
    world.run(Duration.ofSeconds(100));
    assertEquals(101_000_000_000L, fast.ticker().nanos());
    assertEquals(99_000_000_000L, old.ticker().nanos() - before);
    assertTrue(old.ticker().nanos() < 0);
    assertEquals(List.of(990_099_010L, 1_010_101_010L), rang);
    assertEquals(Duration.ofNanos(990_099_009), fast.toWorld(SECOND));
  }

  @Test
  void aPauseDefersAndACrashDrops() {
    SimWorld world = new SimWorld(1);
    SimNode node = world.node("n");
    List<String> ran = new ArrayList<>();
    node.scheduler().schedule(ms(5), () -> ran.add("timer at " + world.nanos() / 1_000_000));
    node.executor().execute(() -> ran.add("task"));
    node.pause(ms(10));
    world.run(ms(9));
    assertEquals(List.of(), ran);
    world.run(ms(1));
    assertEquals(List.of("task", "timer at 10"), ran);
    node.scheduler().schedule(ms(5), () -> ran.add("of an earlier life"));
    node.crash();
    node.restart();
    node.scheduler().schedule(ms(1), () -> ran.add("new"));
    world.run(SECOND);
    assertEquals(List.of("task", "timer at 10", "new"), ran);
  }

  @Test
  void aLongerPauseWithinAPauseCounts() {
    SimWorld world = new SimWorld(1);
    SimNode node = world.node("n");
    node.pause(ms(20));
    node.pause(ms(5));
    world.run(ms(19));
    assertEquals(SimNode.State.PAUSED, node.state());
    world.run(ms(1));
    assertEquals(SimNode.State.RUNNING, node.state());
  }

  @Test
  void aWallClockCanBeStepped() {
    SimWorld world = new SimWorld(1);
    SimNode node = world.node("n");
    long wall = node.wallMicros();
    long monotonic = node.ticker().nanos();
    node.stepWallClock(Duration.ofSeconds(-3));
    assertEquals(wall - 3_000_000, node.wallMicros());
    assertEquals(monotonic, node.ticker().nanos());
  }
}
