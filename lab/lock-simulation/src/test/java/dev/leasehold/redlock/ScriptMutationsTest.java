package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs a part of the mutations in each build; all by {@code -Dleasehold.simulation.mutants=1}. */
@DisplayName("Scripts with one mutated comparison, bound or call")
class ScriptMutationsTest {
  /** One out of this many is run. */
  private static final int PART = Integer.getInteger("leasehold.simulation.mutants", 5);

  private final ScriptMutations mutations = new ScriptMutations();

  @Test
  @DisplayName("Each listed survivor still exists, and is listed once")
  void known() {
    Set<String> missing = new TreeSet<>(Survivors.all());
    mutations.all().forEach(each -> missing.remove(each.id()));
    assertEquals(Set.of(), missing, "of script-survivors.txt: these lines have changed");
    long lines = Survivors.byReason().values().stream().mapToLong(List::size).sum();
    assertEquals(Survivors.all().size(), lines, "one is listed twice");
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  @DisplayName("Each is killed by a story, or listed with the reason why not")
  void found() throws Throwable {
    mutations.learn();
    Set<String> listed = Survivors.all();
    List<ScriptMutation> some =
        mutations.all().stream()
            .filter(each -> Math.floorMod(each.id().hashCode(), PART) == 0)
            // Survivors are verified only in full runs: each takes as long as all stories.
            .filter(each -> PART == 1 || !listed.contains(each.id()))
            .toList();
    Set<String> live =
        some.stream()
            .filter(each -> mutations.killer(each).isEmpty())
            .map(ScriptMutation::id)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> expected = PART == 1 ? new TreeSet<>(listed) : Set.of();
    assertEquals(
        String.join("\n", expected),
        String.join("\n", live),
        "they live: give each a story, or a reason in script-survivors.txt");
  }
}
