package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
            "[a](nowhere/at-all.md) [b](pom.xml) [c](https://example.org/x)"
                + " [e](lock-api/pom.xml#L1)"));
  }

  @Test
  @DisplayName("A link to a heading that is not there is found")
  void anchorsCanFail() {
    Path page = Repository.root().resolve("CHANGELOG.md");
    assertEquals(
        List.of("#b", "README.md#no-such-heading"),
        broken(
            page,
            "# A `b`: *c*, d's\n[a](#a-b-c-ds) [b](#b) [c](README.md#first-example)"
                + " [d](README.md#no-such-heading)\n```\n# b\n```\n"));
  }

  private static List<String> broken(Path page, String text) {
    List<String> broken = new ArrayList<>();
    Matcher m = LINK.matcher(text);
    while (m.find()) {
      String link = m.group(1);
      if (!link.contains("://") && !leadsSomewhere(page, text, link)) {
        broken.add(link);
      }
    }
    return broken;
  }

  private static boolean leadsSomewhere(Path page, String text, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
    if (!Files.exists(target)) {
      return false;
    }
    if (parts.length < 2 || !target.toString().endsWith(".md")) {
      return true;
    }
    try {
      return anchors(parts[0].isEmpty() ? text : Files.readString(target)).contains(parts[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The anchors of a page's headings: lower case, hyphens for spaces, no punctuation. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    boolean code = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code && line.matches("#{1,6} .+")) {
        String title = line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT);
        anchors.add(title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
      }
    }
    return anchors;
  }
}
