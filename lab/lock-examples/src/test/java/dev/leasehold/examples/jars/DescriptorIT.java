package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The module descriptor of each published jar is the one on record")
class DescriptorIT {

  static List<String> published() {
    return Jars.published();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("published")
  @DisplayName("A change is deliberate: it shows in src/test/resources/descriptors")
  void descriptor(String module) throws IOException {
    Path record =
        Repository.folder("lock-examples")
            .resolve("src/test/resources/descriptors")
            .resolve(module + ".txt");
    String actual = describe(module) + "\n";
    if (System.getProperty("descriptors.update") != null) {
      Files.writeString(record, actual);
      return;
    }
    String expected = Files.isRegularFile(record) ? Files.readString(record) : "";
    assertEquals(
        expected,
        actual,
        () -> record + "; if it is meant, write it with: mvn verify -Ddescriptors.update");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("published")
  @DisplayName("Nothing optional is transitive: users' modules would not compile without it")
  void optional(String module) {
    List<String> found =
        describe(module)
            .lines()
            .filter(line -> line.startsWith("requires ") && line.contains(" static"))
            .filter(line -> line.contains(" transitive"))
            .toList();
    assertEquals(List.of(), found);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("published")
  @DisplayName("The page has the name that a user's module requires")
  void named(String module) throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/modules.md"));
    String row =
        "| `" + module + "` | `" + describe(module).lines().findFirst().orElseThrow() + "` |";
    assertTrue(page.contains(row), () -> "docs/modules.md lacks " + row);
  }

  /** The output of {@code jar --describe-module} without the jar's version and path, sorted. */
  private static String describe(String module) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    int status =
        jar.run(writer, writer, "--describe-module", "--file", Jars.jar(module).toString());
    assertTrue(status == 0, out::toString);
    List<String> lines = out.toString().lines().filter(line -> !line.isBlank()).toList();
    String name = lines.get(0).split("[@ ]", 2)[0];
    return name + "\n" + lines.stream().skip(1).sorted().collect(Collectors.joining("\n"));
  }
}
