package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Links from a page into the project lead somewhere")
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  @Test
  @DisplayName("in every page")
  void links() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : Repository.pages()) {
      broken.addAll(broken(page, Files.readString(page)));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  @DisplayName("A broken link is found")
  void canFail() {
    assertEquals(
        List.of("nowhere/at-all.md"),
        broken(
            Repository.root().resolve("README.md"),
            "[a](nowhere/at-all.md) [b](pom.xml) [c](https://example.org/x) [d](#part)"
                + " [e](lock-api/pom.xml#L1)"));
  }

  private static List<String> broken(Path page, String text) {
    List<String> broken = new ArrayList<>();
    Matcher m = LINK.matcher(text);
    while (m.find()) {
      String target = m.group(1).split("#", 2)[0];
      if (!target.isEmpty()
          && !target.contains("://")
          && !Files.exists(page.resolveSibling(target))) {
        broken.add(m.group(1));
      }
    }
    return broken;
  }
}
