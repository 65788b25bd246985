package dev.leasehold.redlock;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Mutants of the production code, with one fault each, and the stories that find them. {@link
 * MutantsTest} creates each and checks that it is found. They are written down in the files {@code
 * mutants/*.txt}, as {@link MutantText} describes. {@code MUTANTS.md} of this module lists them.
 *
 * @param what the fault
 * @param edits that introduce it
 * @param story that fails because of it, and passes otherwise: a method of a class of stories, such
 *     as {@link ScriptStories}
 */
record Mutants(String what, List<Edit> edits, String story) {
  private static final List<String> THEMES =
      List.of(
          "lived",
          "later",
          "linger",
          "refusals",
          "marks",
          "commands",
          "scripts",
          "gone",
          "guard",
          "kinds",
          "together",
          "one-by-one",
          "fair",
          "arrival",
          "split",
          "adapter",
          "engine",
          "quorum");

  @Override
  public String toString() {
    return what;
  }

  /** The file's name. */
  String where() {
    return edits.get(0).file().substring(edits.get(0).file().lastIndexOf('/') + 1);
  }

  /** The names of all files with mutants of a single edit. */
  static List<String> themes() {
    return THEMES;
  }

  /** All mutants, by the theme's title. */
  static Map<String, List<Mutants>> byTheme() {
    Map<String, List<Mutants>> all = new LinkedHashMap<>();
    for (String theme : THEMES) {
      add(all, MutantText.of(theme));
    }
    return all;
  }

  /** Adds the mutants of a theme, whose first block is its title. */
  static void add(Map<String, List<Mutants>> all, List<MutantText> blocks) {
    String title = blocks.get(0).title();
    if (all.put(title, blocks.stream().skip(1).map(MutantText::one).toList()) != null) {
      throw blocks.get(0).wrong(title, "is the title of another theme, too");
    }
  }

  /** All mutants, including those of redundant checks. */
  static List<Mutants> all() {
    return Stream.concat(
            byTheme().values().stream().flatMap(List::stream),
            Redundant.all().stream().map(Redundant::alone))
        .toList();
  }
}
