package dev.leasehold.controls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Recipe;
import dev.leasehold.testkit.Specification;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The specification's matrix and the controls say the same")
class MatrixTest {

  @Test
  @DisplayName("The same controls, in the same order, with the same rules")
  void matrix() throws IOException {
    Map<String, List<String>> said = new LinkedHashMap<>();
    String section = section();
    for (String line : section.lines().filter(l -> l.startsWith("| ")).skip(1).toList()) {
      String[] cells = line.split("\\|");
      assertNull(said.put(cells[1].strip(), words(cells[3].strip())), line);
    }
    Map<String, List<String>> are = new LinkedHashMap<>();
    for (Control control : Controls.all()) {
      are.put(control.name(), control.breaks());
    }
    assertEquals(are, said);
    assertEquals(List.copyOf(are.keySet()), List.copyOf(said.keySet()));
  }

  @Test
  @DisplayName("A name is of one control, by which a worker finds it")
  void names() {
    List<String> names = Controls.all().stream().map(Control::name).toList();
    assertEquals(names.stream().distinct().toList(), names);
  }

  @Test
  @DisplayName("A control can be made in a worker by its recipe")
  void recipes() {
    for (Control control : Controls.all()) {
      assertEquals(control.name(), Recipe.make(control.recipe()).name());
    }
  }

  @Test
  @DisplayName("Every control has its story")
  void stories() throws IOException {
    String section = section();
    Controls.all()
        .forEach(
            control ->
                assertTrue(
                    section.replaceAll("\\s+", " ").contains("**" + control.name() + ".** "),
                    control::name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "lock-testkit/README.md"})
  @DisplayName("Pages say how many there are")
  void count(String page) throws IOException {
    String told = Controls.all().size() + " locks as people really write them";
    String text = Files.readString(Path.of("../..", page));
    assertTrue(text.contains(told), () -> page + " does not mention " + told);
  }

  @Test
  @DisplayName("A control's rules are rules, sorted, and hold those it is there for")
  void rules() {
    for (Control control : Controls.all()) {
      assertEquals(List.copyOf(new TreeSet<>(control.breaks())), control.breaks(), control::name);
      assertTrue(control.breaks().containsAll(control.tells()), control::name);
      control
          .breaks()
          .forEach(id -> assertTrue(Specification.rule(id).isPresent(), () -> control + id));
    }
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.split(" "));
  }

  private static String section() throws IOException {
    try (InputStream in = Specification.class.getResourceAsStream("SPEC.md")) {
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      int begin = page.indexOf("## Negative controls");
      return page.substring(begin).split("\n## ", 2)[0];
    }
  }
}
