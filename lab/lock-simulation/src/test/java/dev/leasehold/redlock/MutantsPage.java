package dev.leasehold.redlock;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The table of mutants as a page. */
final class MutantsPage {
  private MutantsPage() {}

  /** Writes it. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Edit.root().resolve("lab/lock-simulation/MUTANTS.md"), text());
  }

  static String text() {
    StringBuilder page = new StringBuilder();
    page.append("# Mutants of the shipped code, and the tests that find them\n\n");
    page.append(
        "`MutantsTest` applies a fifth of these mutants to the sources and scripts in each build,"
            + " chosen by the build's seed; `-Dleasehold.simulation.mutants=1` applies all. It fails if a mutant's"
            + " story still passes, or if the text that a mutant replaces is not found."
            + " `QuorumSimulationTest` finds others in random worlds.\n");
    Mutants.byTheme().forEach((title, mutants) -> table(page, title, mutants));
    page.append("\n## Redundant checks\n\n");
    page.append(
        "Without the first check, the second keeps the engine's users safe; without both, the story"
            + " of both fails. Both are kept, as the story of the first alone shows: a quorum can be"
            + " used without this engine, and nodes allow leases that are longer by the drift.\n\n");
    page.append("| missing check | in | found alone by | second check in | story of both |\n");
    page.append("|---|---|---|---|---|\n");
    for (Redundant each : Redundant.all()) {
      Mutants alone = each.alone();
      String second = new Mutants("", each.second(), "").where();
      row(page, alone.what(), alone.where(), alone.story(), second, each.engineStory());
    }
    engine(page);
    scripts(page);
    return page.toString();
  }

  private static void engine(StringBuilder page) {
    page.append("\n## Engine by rule\n\n");
    page.append(
        "`mvn -q -Ppit` lets [PIT](https://pitest.org) mutate the bytecode of the engine's classes for"
            + " waiting, sharing, releasing and several locks at once, and runs `lock-api`'s fast tests"
            + " on each mutant. [pit-survivors.txt]("
            + "../../lock-api/src/test/resources/dev/leasehold/lock/internal/pit-survivors.txt"
            + ") gives a reason for each survivor; an unlisted survivor fails the build.\n");
  }

  private static void scripts(StringBuilder page) {
    page.append("\n## Scripts by rule\n\n");
    page.append(
        "Each comparison, bound and call in the scripts of `lock-redis-common` is also mutated by"
            + " rules (`ScriptMutation`): a comparison is negated, or includes or excludes its bound;"
            + " a number is increased by one; `and` becomes `or`, `max` becomes `min`, plus becomes"
            + " minus, true becomes false; `not` or a call is removed. Of "
            + new ScriptMutations().all().size()
            + " mutants, "
            + Survivors.all().size()
            + " survive. Each is tried with the stories that run its script:"
            + " `ScriptMutationsTest` tries some in each build, `-Dleasehold.simulation.mutants=1` all of them, in a"
            + " minute or two. No story can find those below, for the reason given.\n");
    Survivors.byReason()
        .forEach(
            (reason, mutants) -> {
              page.append("\n").append(reason).append("\n\n```\n");
              mutants.forEach(mutant -> page.append(mutant).append("\n"));
              page.append("```\n");
            });
  }

  private static void table(StringBuilder page, String title, List<Mutants> mutants) {
    page.append("\n## ").append(title).append("\n\n| mutant | in | found by |\n|---|---|---|\n");
    mutants.forEach(mutant -> row(page, mutant.what(), mutant.where(), mutant.story()));
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
