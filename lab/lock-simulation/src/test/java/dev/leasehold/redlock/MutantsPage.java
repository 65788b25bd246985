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
    page.append("# What ships, gone wrong in one place, and what finds it\n\n");
    page.append(
        "`MutantsTest` makes each of these mutants, of the sources and scripts as they are,");
    page.append(" and fails if its story holds all the same, or if the words that it changes are");
    page.append(" not found. Worlds by seed find further ones: `QuorumSimulationTest`.\n");
    table(page, "Lived through all tests before there was this one", Mutants.lived());
    table(page, "Scripts", Mutants.scripts());
    table(page, "Scripts of semaphores, read/write locks and latches", KindMutants.all());
    table(page, "Scripts of several locks at once", TogetherMutants.all());
    table(page, "Several locks one after another", TogetherMutants.oneByOne());
    table(page, "Scripts of locks in the order of arrival", FairMutants.all());
    table(page, "Votes that are split, and lines that differ", SplitMutants.all());
    table(page, "Scripts of kinds on Redisson's keys", AdapterMutants.all());
    table(page, "Engine", Mutants.engines());
    table(page, "Quorum", Mutants.quorums());
    page.append("\n## Checks that stand twice\n\n");
    page.append("Without the first, the second keeps the engine's users safe; without both, the");
    page.append(
        " story of both fails. Each is kept, for what the story of the first alone tells: a quorum"
            + " can be used without our engine, and nodes bear leases that are longer by the"
            + " drift.\n\n");
    page.append("| without it | in | alone found by | second check in | story of both |\n");
    page.append("|---|---|---|---|---|\n");
    for (Redundant each : Redundant.all()) {
      Mutants alone = each.alone();
      String second = new Mutants("", each.second(), "").where();
      row(page, alone.what(), alone.where(), alone.story(), second, each.engineStory());
    }
    return page.toString();
  }

  private static void table(StringBuilder page, String title, List<Mutants> mutants) {
    page.append("\n## ").append(title).append("\n\n| mutant | in | found by |\n|---|---|---|\n");
    mutants.forEach(mutant -> row(page, mutant.what(), mutant.where(), mutant.story()));
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
