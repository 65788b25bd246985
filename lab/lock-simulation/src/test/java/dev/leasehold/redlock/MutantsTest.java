package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/**
 * Runs a part of the mutants in each build, selected by its seed; all of them by {@code
 * -Dleasehold.simulation.mutants=1}.
 */
@DisplayName("Mutants of the shipped code")
class MutantsTest {
  /** One out of this many is run: compiling a mutant and running its story takes a while. */
  private static final int PART = Integer.getInteger("leasehold.simulation.mutants", 5);

  private static final long SEED = Long.getLong("test.order.seed", 0);

  /** The production code, loaded once: stories leave no state behind. */
  private static final MutantLoader SHIPPED = new MutantLoader(List.of());

  static Stream<Mutants> all() {
    return Mutants.all().stream();
  }

  static Stream<Mutants> some() {
    return all().filter(each -> Math.floorMod(each.what().hashCode() + SEED, PART) == 0);
  }

  /** Includes stories that no mutant needs: a story that is never run may be wrong. */
  static Stream<String> stories() {
    return Stories.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stories")
  @DisplayName("Each story passes on the shipped code")
  void holds(String story) throws Throwable {
    Stories.tell(SHIPPED, story);
  }

  @Test
  @DisplayName("Each mutant names an existing story")
  void known() {
    Set<String> missing = all().map(Mutants::story).collect(Collectors.toCollection(TreeSet::new));
    Stories.all().forEach(missing::remove);
    assertEquals(Set.of(), missing);
  }

  @Test
  @DisplayName("The text that each mutant replaces exists")
  void possible() {
    assertAll(
        all()
            .flatMap(mutant -> mutant.edits().stream())
            .map(edit -> () -> assertNotEquals(edit.shipped(), edit.applied(edit.shipped()))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("some")
  @DisplayName("Each mutant is killed by its story")
  void found(Mutants mutant) {
    MutantLoader loader = new MutantLoader(mutant.edits());
    Throwable failure = assertThrows(Throwable.class, () -> Stories.tell(loader, mutant.story()));
    assertTrue(
        !(failure instanceof ReflectiveOperationException
            || failure instanceof LinkageError
            || String.valueOf(failure.getMessage()).contains("compil")),
        () -> "not the mutant's: " + failure);
  }

  static Stream<Redundant> redundant() {
    return Redundant.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("redundant")
  @DisplayName("Of two redundant checks, one suffices for the engine's users")
  void twice(Redundant check) throws Throwable {
    Stories.tell(SHIPPED, check.engineStory());
    Stories.tell(new MutantLoader(check.alone().edits()), check.engineStory());
    Stories.tell(new MutantLoader(check.second()), check.engineStory());
    MutantLoader neither = new MutantLoader(check.both());
    assertThrows(AssertionError.class, () -> Stories.tell(neither, check.engineStory()));
  }

  @Test
  @DisplayName("MUTANTS.md lists them")
  void page() throws IOException {
    String page = Files.readString(Edit.root().resolve("lab/lock-simulation/MUTANTS.md"));
    assertEquals(MutantsPage.text(), page);
  }
}
