package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("README is short, and leads to every page")
class FrontDoorTest {
  private static final int MOST = 15_000;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]+\\.md)(?:#[^)]*)?\\)");

  @Test
  @DisplayName("At most 15 KB")
  void small() throws IOException {
    long size = Files.size(readme());
    assertTrue(size <= MOST, () -> size + " bytes, at most " + MOST);
  }

  @Test
  @DisplayName("Two commands: the demo, and the build with all tests")
  void commands() throws IOException {
    String text = Files.readString(readme());
    assertTrue(text.contains("```\nmvn -q -Pdemo\n```"), "the demo's");
    assertTrue(text.contains("```\nmvn verify\n```"), "the build's");
  }

  @Test
  @DisplayName("Each kind of lock is shown, beside the way to all about them")
  void kinds() throws IOException {
    String text = Files.readString(readme());
    String code =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(text)
            .results()
            .map(block -> block.group(1))
            .collect(Collectors.joining());
    for (String kind : List.of("lock", "readWriteLock", "semaphore", "all", "latch")) {
      assertTrue(code.contains("locks." + kind + "(\""), kind);
    }
    assertTrue(text.contains("each backend promises of them](docs/kinds.md)"));
  }

  @Test
  @DisplayName("Every page can be reached from it by links")
  void reached() throws IOException {
    Set<Path> seen = new HashSet<>();
    List<Path> next = new ArrayList<>(List.of(readme()));
    while (!next.isEmpty()) {
      Path page = next.remove(next.size() - 1);
      if (seen.add(page) && Files.exists(page)) {
        Matcher m = LINK.matcher(Files.readString(page));
        while (m.find()) {
          next.add(page.resolveSibling(m.group(1)).normalize());
        }
      }
    }
    assertEquals(List.of(), Repository.pages().stream().filter(p -> !seen.contains(p)).toList());
  }

  private static Path readme() {
    return Repository.root().resolve("README.md");
  }
}
