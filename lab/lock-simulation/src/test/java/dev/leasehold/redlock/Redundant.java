package dev.leasehold.redlock;

import java.util.ArrayList;
import java.util.List;

/**
 * A check that is implemented twice.
 *
 * @param alone the mutant without the first check, and the story that finds it by itself
 * @param second edits that remove the second check, so that the engine's users are affected
 * @param engineStory passes with either check, and fails without both
 */
record Redundant(Mutants alone, List<Edit> second, String engineStory) {
  /** The name of the file that lists them. */
  static final String FILE = "redundant";

  List<Edit> both() {
    List<Edit> both = new ArrayList<>(alone.edits());
    both.addAll(second);
    return both;
  }

  /**
   * Checks that are redundant for the engine's users: if one is removed, a second one still
   * applies; without both, the story fails. Each is kept nevertheless, for the reason its own story
   * shows: a {@link dev.leasehold.lock.spi.LeaseStore} may be used without our engine, and nodes
   * accept leases that are longer by the drift. In {@code mutants/redundant.txt}, the first edit is
   * of the first check, and the others are of the second, with the story of both.
   */
  static List<Redundant> all() {
    return MutantText.of(FILE).stream().skip(1).map(Redundant::of).toList();
  }

  static Redundant of(MutantText block) {
    List<Mutants> edits = block.edits();
    List<Mutants> second = edits.subList(1, edits.size());
    List<String> stories = second.stream().map(Mutants::story).distinct().toList();
    if (stories.size() != 1) {
      throw block.wrong(stories.toString(), "must be one story of all edits but the first");
    }
    return new Redundant(
        edits.get(0),
        second.stream().flatMap(mutant -> mutant.edits().stream()).toList(),
        stories.get(0));
  }
}
