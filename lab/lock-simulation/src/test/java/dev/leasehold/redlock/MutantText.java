package dev.leasehold.redlock;

import dev.leasehold.simulation.Shipped;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A block of one of the files {@code mutants/*.txt}. Its first line is the fault. Each edit follows
 * as a line with the file and the story, the replaced lines, which begin with "- ", and what
 * replaces them, if anything, in lines that begin with "+ ".
 *
 * @param theme the file's name, without the extension
 * @param block the lines
 */
record MutantText(String theme, String block) {
  private static final String FROM = "- ";
  private static final String TO = "+ ";

  /** The blocks of a theme; the first is its title. */
  static List<MutantText> of(String theme) {
    String text = Shipped.text(Mutants.class, "mutants/" + theme + ".txt").strip();
    return List.of(text.split("\n\n")).stream().map(block -> new MutantText(theme, block)).toList();
  }

  /** The title of a theme. */
  String title() {
    if (!block.matches("# .+")) {
      throw wrong(block, "must be the title, alone between empty lines, after '# '");
    }
    return block.substring("# ".length());
  }

  /** The mutant of a block that has a single edit. */
  Mutants one() {
    List<Mutants> edits = edits();
    if (edits.size() != 1) {
      throw wrong(edits.size() + " edits", "must be one");
    }
    return edits.get(0);
  }

  /**
   * The block's fault by each of its edits, of which there is at least one.
   *
   * @throws IllegalArgumentException with theme, fault and line, if it does not have the form above
   */
  List<Mutants> edits() {
    List<String> lines = block.lines().toList();
    List<Mutants> edits = new ArrayList<>();
    int begin = 1;
    while (begin < lines.size()) {
      int from = begin + 1;
      int to = endOf(lines, from, FROM);
      int end = endOf(lines, to, TO);
      if (from == to) {
        throw wrong(lines.get(begin), "must be followed by lines that begin with '- '");
      }
      edits.add(mutant(lines.get(begin), lines.subList(from, to), lines.subList(to, end)));
      begin = end;
    }
    if (edits.isEmpty()) {
      throw wrong(block, "must be followed by an edit");
    }
    return edits;
  }

  private static int endOf(List<String> lines, int begin, String mark) {
    int end = begin;
    while (end < lines.size() && lines.get(end).startsWith(mark)) {
      end++;
    }
    return end;
  }

  private Mutants mutant(String place, List<String> from, List<String> to) {
    String[] words = place.split(" ");
    if (!place.matches("[^-+]\\S* \\S+")) {
      throw wrong(place, "must be a file and a story");
    }
    try {
      Edit edit = Edit.in(words[0], unmarked(from), unmarked(to));
      return new Mutants(what(), List.of(edit), words[1]);
    } catch (IllegalArgumentException e) {
      throw wrong(place, e.getMessage());
    }
  }

  private static String unmarked(List<String> lines) {
    return lines.stream()
        .map(line -> line.substring(FROM.length()))
        .collect(Collectors.joining("\n"));
  }

  private String what() {
    return block.lines().findFirst().orElse("");
  }

  /** What to throw because of a line. */
  IllegalArgumentException wrong(String line, String why) {
    return new IllegalArgumentException(theme + ", '" + what() + "': '" + line + "' " + why);
  }
}
