package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The text of mutants, and the methods of stories, are read strictly")
class MutantTextTest {
  private static final String EDIT = "lock-api/RemoteLease.java S#s\n- a\n- b\n+ c";

  private static MutantText of(String... lines) {
    return new MutantText("theme", String.join("\n", lines));
  }

  @Test
  @DisplayName("An edit has a file, a story, replaced lines, and those that replace them")
  void read() {
    Mutants mutant = of("a fault", EDIT).one();
    assertEquals("a fault", mutant.what());
    assertEquals("S#s", mutant.story());
    Edit edit = mutant.edits().get(0);
    assertEquals(List.of("a\nb", "c"), List.of(edit.from(), edit.to()));
    assertTrue(edit.file().startsWith("lock-api/src/main/java/"), edit::file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lock-api/RemoteLease.java\n- a",
        "lock-api/RemoteLease.java S#s more\n- a",
        "lock-api/RemoteLease.java S#s",
        "lock-api/RemoteLease.java S#s\n+ b",
        "lock-api/RemoteLease.java S#s\n- a\n+ b\n- c\n+ d",
        "lock-api/RemoteLease.java S#s\n- a\n-\n- c",
        "- a\n+ b",
        "RemoteLease.java S#s\n- a",
        "lock-api/NoLease.java S#s\n- a",
        "lock-no/RemoteLease.java S#s\n- a",
        "lock-api/package-info.java S#s\n- a"
      })
  @DisplayName("Another form is refused, with theme, fault and line")
  void malformed(String edit) {
    MutantText text = of("a fault", edit);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, text::edits, edit);
    assertTrue(refused.getMessage().startsWith("theme, 'a fault': '"), refused::getMessage);
  }

  @Test
  @DisplayName("The line is named")
  void line() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> of("a fault", EDIT, "no-file S#s", "- a").edits());
    assertEquals(
        "theme, 'a fault': 'no-file S#s' must be module/File of one file, and is of []",
        refused.getMessage());
  }

  @Test
  @DisplayName("A second edit is refused where one is meant")
  void second() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> of("a fault", EDIT, EDIT).one());
    assertEquals("theme, 'a fault': '2 edits' must be one", refused.getMessage());
  }

  @Test
  @DisplayName("The later edits of a redundant check name one story")
  void redundant() {
    String other = EDIT.replace("S#s", "S#other");
    assertEquals("S#s", Redundant.of(of("a fault", other, EDIT, EDIT)).engineStory());
    for (MutantText wrong : List.of(of("a fault", EDIT), of("a fault", EDIT, EDIT, other))) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> Redundant.of(wrong));
      assertTrue(refused.getMessage().contains("one story"), refused::getMessage);
    }
  }

  @Test
  @DisplayName("Two themes have two titles")
  void titles() {
    Map<String, List<Mutants>> all = new LinkedHashMap<>();
    Mutants.add(all, List.of(of("# One"), of("a fault", EDIT)));
    assertThrows(
        IllegalArgumentException.class, () -> Mutants.add(all, List.of(of("# One"))), "twice");
    assertThrows(IllegalArgumentException.class, () -> Mutants.add(all, List.of(of("One"))));
    assertThrows(
        IllegalArgumentException.class, () -> Mutants.add(all, List.of(of("# Two", "a fault"))));
  }

  @Test
  @DisplayName("Each file of mutants is a theme")
  void themes() throws IOException, URISyntaxException {
    Path folder = Path.of(Mutants.class.getResource("mutants").toURI());
    List<String> known = new ArrayList<>(Mutants.themes());
    known.add(Redundant.FILE);
    try (Stream<Path> files = Files.list(folder)) {
      Set<String> names =
          files
              .map(file -> file.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(known.stream().map(name -> name + ".txt").sorted().toList(), List.copyOf(names));
    }
  }

  /** Two stories, and what is none. */
  @SuppressWarnings("unused") // read by reflection
  private static class Fine {
    private static void helper() {}

    private int helper(int number) {
      return number;
    }

    void second() {}

    void first() {}
  }

  @SuppressWarnings("unused")
  private static final class Static {
    static void story() {}
  }

  @SuppressWarnings("unused")
  private static final class Parameter {
    void story(int number) {}
  }

  @SuppressWarnings("unused")
  private static final class Result {
    int story() {
      return 0;
    }
  }

  @Test
  @DisplayName("A class of stories has stories and private helpers only")
  void stories() {
    assertEquals(List.of("Fine#first", "Fine#second"), Stories.of(Fine.class).toList());
    for (Class<?> type : List.of(Static.class, Parameter.class, Result.class)) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> Stories.of(type).toList());
      assertTrue(refused.getMessage().contains(type.getName() + ".story("), refused::getMessage);
    }
  }
}
