package dev.leasehold.redlock.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A small slice of what {@link ModelRun} searches. */
class ModelTest {

  static Stream<Scenario> small() {
    return Scenario.small().stream();
  }

  static Stream<Scenario> outside() {
    // The others have many times as many states.
    return Scenario.outside().stream().filter(one -> one.name().equals("IMMEDIATE_RESTART"));
  }

  static Stream<Scenario> mutants() {
    // The one that is left out shows farther away than all others together.
    return Scenario.mutants().stream().filter(one -> !one.name().equals("WALL_CLOCKS_APART"));
  }

  @ParameterizedTest
  @MethodSource("small")
  @DisplayName("The whole of a small model is safe")
  void safe(Scenario scenario) {
    Search.Found found = new Search(scenario.rules()).run();
    assertEquals(List.of(), found.schedule());
    assertTrue(found.states() > 100_000, found.toString());
  }

  @ParameterizedTest
  @MethodSource("outside")
  @DisplayName("Outside the fault model two may hold the lock, and a later round's token is larger")
  void fenced(Scenario scenario) {
    Search.Found found = new Search(scenario.rules()).run();
    assertEquals(List.of(), found.schedule());
    Search.Found all = new Search(scenario.ofAll()).run();
    assertFalse(all.isSafe(), all.toString());
    assertEquals(scenario.breaks(), all.broken(), String.join("\n", all.schedule()));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @DisplayName("A protocol with one fault is not, and there is a schedule to show it")
  void mutant(Scenario scenario) {
    Search.Found found = new Search(scenario.rules()).run();
    assertFalse(found.isSafe(), found.toString());
    assertEquals(scenario.breaks(), found.broken(), String.join("\n", found.schedule()));
  }

  @Test
  @DisplayName("The shortest schedule for half of the votes: each client has one node")
  void shortest() {
    List<String> schedule = new Search(Rules.with(r -> r.quorum = 1)).run().schedule();
    assertEquals(6, schedule.size(), schedule.toString());
  }
}
