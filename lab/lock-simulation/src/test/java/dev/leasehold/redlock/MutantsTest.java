package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.simulation.Quiet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What ships, gone wrong in one place")
class MutantsTest {
  private static final String PACKAGE = "dev.leasehold.redlock.";

  /** What ships, loaded once: stories leave nothing behind. */
  private static final MutantLoader SHIPPED = new MutantLoader(List.of());

  static Stream<Mutants> all() {
    return Mutants.all().stream();
  }

  static Set<String> stories() {
    return all().map(Mutants::story).collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stories")
  @DisplayName("Each story holds for what ships")
  void holds(String story) throws Throwable {
    tell(SHIPPED, story);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  @DisplayName("Each mutant is found by its story")
  void found(Mutants mutant) {
    MutantLoader loader = new MutantLoader(mutant.edits());
    Throwable failure = assertThrows(Throwable.class, () -> tell(loader, mutant.story()));
    assertTrue(
        !(failure instanceof ReflectiveOperationException || failure instanceof LinkageError),
        () -> "not the mutant's: " + failure);
  }

  static Stream<Redundant> redundant() {
    return Redundant.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("redundant")
  @DisplayName("Of two checks either is enough for the engine's users, and none is not")
  void twice(Redundant check) throws Throwable {
    tell(SHIPPED, check.engineStory());
    tell(new MutantLoader(check.alone().edits()), check.engineStory());
    tell(new MutantLoader(check.second()), check.engineStory());
    MutantLoader neither = new MutantLoader(check.both());
    assertThrows(AssertionError.class, () -> tell(neither, check.engineStory()));
  }

  @Test
  @DisplayName("MUTANTS.md is the table of them")
  void page() throws IOException {
    String page = Files.readString(Edit.root().resolve("lab/lock-simulation/MUTANTS.md"));
    assertEquals(MutantsPage.text(), page);
  }

  private static void tell(MutantLoader loader, String story) throws Throwable {
    String[] parts = story.split("#");
    Throwable failure =
        Quiet.during(
            () -> {
              try {
                loader.run(PACKAGE + parts[0], parts[1]);
                return null;
              } catch (Throwable e) {
                return e;
              }
            });
    if (failure != null) {
      throw failure;
    }
  }
}
