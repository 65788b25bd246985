package dev.leasehold.lock.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares the mutants that survived PIT ({@code mvn -q -Ppit}) with {@code pit-survivors.txt},
 * which gives the reason for each, in a line with {@code #} above those that share it: a survivor
 * that is not there fails the build.
 *
 * <p>A survivor is named by its class, method, line's text and mutator, so that it stays the same
 * while code around it changes.
 */
public final class PitSurvivors {
  private static final Path REPORT = Path.of("target/pit-reports/mutations.csv");
  private static final Path LIST =
      Path.of("src/test/resources/dev/leasehold/lock/internal/pit-survivors.txt");
  private static final Path SOURCES = Path.of("src/main/java");

  /** Columns of the report. */
  private static final int FILE = 0;

  private static final int CLASS = 1;
  private static final int MUTATOR = 2;
  private static final int METHOD = 3;
  private static final int LINE = 4;
  private static final int STATUS = 5;

  private PitSurvivors() {}

  /** From the module's folder, after PIT. */
  public static void main(String[] args) throws IOException {
    List<String[]> mutants =
        Files.readAllLines(REPORT).stream().map(line -> line.split(",", -1)).toList();
    Set<String> live = named(mutants);
    Set<String> listed =
        Files.readAllLines(LIST).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.toCollection(TreeSet::new));
    System.out.println(
        mutants.size()
            + " mutants, of which "
            + live.size()
            + " survived; by outcome: "
            + mutants.stream()
                .collect(Collectors.groupingBy(m -> m[STATUS], Collectors.counting())));
    Set<String> files = mutants.stream().map(m -> m[FILE]).collect(Collectors.toSet());
    listed.stream()
        .filter(each -> files.contains(each.substring(0, each.indexOf('.')) + ".java"))
        .filter(each -> !live.contains(each))
        .forEach(each -> System.out.println("listed, and was found this time: " + each));
    live.removeAll(listed);
    live.forEach(each -> System.out.println("NOT LISTED: " + each));
    System.exit(live.isEmpty() ? 0 : 1);
  }

  private static Set<String> named(List<String[]> mutants) throws IOException {
    Map<String, List<String>> sources = new HashMap<>();
    Map<String, Integer> count = new HashMap<>();
    Set<String> named = new TreeSet<>();
    for (String[] mutant : mutants) {
      String file = mutant[FILE];
      if (!sources.containsKey(file)) {
        String folder =
            mutant[CLASS].substring(0, mutant[CLASS].lastIndexOf('.')).replace('.', '/');
        sources.put(file, Files.readAllLines(SOURCES.resolve(folder).resolve(file)));
      }
      String mutator =
          mutant[MUTATOR].substring(mutant[MUTATOR].lastIndexOf('.') + 1).replace("Mutator", "");
      String text = sources.get(file).get(Integer.parseInt(mutant[LINE]) - 1).strip();
      String method = mutant[METHOD].replaceAll("^lambda\\$|\\$\\d+$", "");
      String type = file.substring(0, file.indexOf('.'));
      String name = type + "." + method + ": " + text + " [" + mutator + "]";
      int number = count.merge(name, 1, Integer::sum);
      if (Set.of("SURVIVED", "NO_COVERAGE").contains(mutant[STATUS])) {
        named.add(number == 1 ? name : name + " #" + number);
      }
    }
    return named;
  }
}
