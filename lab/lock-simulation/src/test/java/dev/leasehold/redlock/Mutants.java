package dev.leasehold.redlock;

import dev.leasehold.simulation.Shipped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Mutants of the production code, with one fault each, and the stories that find them. {@link
 * MutantsTest} creates each and checks that it is found. They are written down in the files {@code
 * mutants/*.txt}: the fault; the file and the story; the replaced lines and what replaces them, as
 * in a diff. {@code MUTANTS.md} of this module lists them.
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

  /** All mutants, by the theme's title. */
  static Map<String, List<Mutants>> byTheme() {
    Map<String, List<Mutants>> all = new LinkedHashMap<>();
    for (String theme : THEMES) {
      List<String> blocks = blocks(theme);
      all.put(
          blocks.get(0).substring("# ".length()),
          blocks.stream().skip(1).map(block -> parsed(block).get(0)).toList());
    }
    return all;
  }

  static List<String> blocks(String theme) {
    return List.of(Shipped.text(Mutants.class, "mutants/" + theme + ".txt").strip().split("\n\n"));
  }

  /** The block's fault by each of its edits. */
  static List<Mutants> parsed(String block) {
    String[] edits = block.split("\n(?![-+] )");
    return Stream.of(edits).skip(1).map(edit -> parsed(edits[0], edit.lines().toList())).toList();
  }

  private static Mutants parsed(String what, List<String> lines) {
    String[] place = lines.get(0).split(" ");
    Edit edit = Edit.in(place[0], marked(lines, "- "), marked(lines, "+ "));
    return new Mutants(what, List.of(edit), place[1]);
  }

  /** The lines with this mark, without it. */
  private static String marked(List<String> lines, String mark) {
    return lines.stream()
        .filter(line -> line.startsWith(mark))
        .map(line -> line.substring(mark.length()))
        .collect(Collectors.joining("\n"));
  }

  /** All mutants, including those of redundant checks. */
  static List<Mutants> all() {
    return Stream.concat(
            byTheme().values().stream().flatMap(List::stream),
            Redundant.all().stream().map(Redundant::alone))
        .toList();
  }
}
