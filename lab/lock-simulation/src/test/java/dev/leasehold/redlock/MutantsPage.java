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
        "`MutantsTest` makes a fifth of these mutants in each build, by the seed of the build, and all");
    page.append(
        " by `mvn -q -Pmutants`, of the sources and scripts as they are. It fails if the story of");
    page.append(
        " one holds all the same, or if the words that one changes are not found. Worlds by seed");
    page.append(" find further ones: `QuorumSimulationTest`.\n");
    table(page, "Lived through all tests before there was this one", Mutants.lived());
    table(page, "Lived through the stories of all others", LaterMutants.all());
    table(page, "Leases kept after a release", LingerMutants.all());
    table(page, "Scripts", Mutants.scripts());
    table(page, "What comes after the release of its token", GoneMutants.all());
    table(page, "Scripts that keep a forgetful node from voting", GuardMutants.all());
    table(page, "Scripts of semaphores, read/write locks and latches", KindMutants.all());
    table(page, "Scripts of several locks at once", TogetherMutants.all());
    table(page, "Several locks one after another", TogetherMutants.oneByOne());
    table(page, "Scripts of locks in the order of arrival", FairMutants.all());
    table(page, "Who came first on a quorum", ArrivalMutants.all());
    table(page, "Votes that are split, and lines that differ", SplitMutants.all());
    table(page, "Scripts of kinds on Redisson's keys", AdapterMutants.all());
    table(page, "Engine", Mutants.engines());
    table(page, "Quorum", QuorumMutants.all());
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
    engine(page);
    scripts(page);
    return page.toString();
  }

  private static void engine(StringBuilder page) {
    page.append("\n## Engine by rule\n\n");
    page.append(
        "`mvn -q -Ppit` has [PIT](https://pitest.org) change the bytecode of the engine's classes"
            + " of waiting, sharing, giving back and several locks at once, and runs `lock-api`'s quick"
            + " tests on each mutant. Of 700 mutants 684 die. [pit-survivors.txt]("
            + "../../lock-api/src/test/resources/dev/leasehold/lock/internal/pit-survivors.txt"
            + ") gives the reason for each that lives; one that is not there fails the build.\n");
  }

  private static void scripts(StringBuilder page) {
    page.append("\n## Scripts by rule\n\n");
    page.append(
        "Each comparison, bound and call of `lock-redis-common`'s scripts is also made wrong by a"
            + " rule (`ScriptMutation`): a comparison is turned round, or takes in its bound or leaves"
            + " it out; a number is one more; `and` is `or`, `max` is `min`, plus is minus, true is"
            + " false; `not` or a call is gone. They are 1 166, and 63 live. Each is tried with the"
            + " stories that run its script: by `ScriptMutationsTest` a part of them in each build, and"
            + " all by `mvn -q -Pmutants`, in a minute or two. No story can find those below, for the"
            + " reason above them.\n");
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
