package dev.leasehold.examples.page;

import dev.leasehold.examples.Repository;
import dev.leasehold.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The commands on the page of operations. */
record OperationsPage(String text) {
  private static final Pattern BLOCK = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINE = Pattern.compile("^(\\S.*?) +# (.*)$", Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|[^ \"]+");
  private static final String SCAN = "redis-cli --scan --pattern ";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /**
   * A command.
   *
   * @param line as typed
   * @param tells the page's description of its answer
   */
  record Command(String line, String tells) {
    String[] words() {
      return WORD.matcher(line)
          .results()
          .map(word -> word.group().replace("\"", ""))
          .toArray(String[]::new);
    }

    /** The pattern of keys that it scans for, if any. */
    Optional<String> scans() {
      return line.startsWith(SCAN)
          ? Optional.of(line.substring(SCAN.length()).replace("'", ""))
          : Optional.empty();
    }

    /** The server's answer. */
    String answer(RedisServer server) {
      return scans()
          .map(pattern -> String.valueOf(scanned(server, pattern)))
          .orElseGet(() -> String.valueOf(server.call(words()).orElse("")));
    }

    /** Does what {@code redis-cli --scan} does, since the program may not be installed. */
    private static List<String> scanned(RedisServer server, String pattern) {
      Set<String> found = new TreeSet<>();
      String cursor = "0";
      do {
        List<?> part = (List<?>) server.call("SCAN", cursor, "MATCH", pattern).orElseThrow();
        ((List<?>) part.get(1)).forEach(key -> found.add(String.valueOf(key)));
        cursor = String.valueOf(part.get(0));
      } while (!cursor.equals("0"));
      return List.copyOf(found);
    }

    /** With a lease's token in place of the page's example. */
    Command of(String token) {
      return new Command(line.replace("label:secret", token), tells);
    }
  }

  static OperationsPage read() throws IOException {
    return new OperationsPage(Files.readString(Repository.root().resolve("docs/operations.md")));
  }

  /** The section under a heading. */
  private String under(String heading) {
    int from = text.indexOf("\n## " + heading + "\n");
    int to = text.indexOf("\n## ", from + 1);
    if (from < 0 || to < 0) {
      throw new IllegalStateException("no heading '" + heading + "' with another one after it");
    }
    return text.substring(from, to);
  }

  /** The commands of Redis that show the holders, block by block; not the output of our own. */
  List<List<Command>> showing() {
    List<List<Command>> blocks = new ArrayList<>();
    for (MatchResult block : BLOCK.matcher(under("Who holds what")).results().toList()) {
      if (block.group(1).startsWith("$ ")) {
        continue;
      }
      blocks.add(
          LINE.matcher(block.group(1))
              .results()
              .map(line -> new Command(line.group(1), line.group(2)))
              .toList());
    }
    return blocks;
  }

  /**
   * The commands that free something, by what they free.
   *
   * @param column of the table, from 0; rows without a command there are omitted
   */
  Map<String, Command> freeing(int column) {
    Map<String, Command> rows = new LinkedHashMap<>();
    for (String row : under("Freeing by hand").lines().filter(l -> l.startsWith("| ")).toList()) {
      String[] cells = row.substring(2).split(" ?\\| ?", -1);
      CODE.matcher(cells[column + 1])
          .results()
          .filter(code -> code.group(1).contains(" "))
          .forEach(code -> rows.put(cells[0], new Command(code.group(1), cells[0])));
    }
    return rows;
  }
}
