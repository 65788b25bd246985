package dev.leasehold.examples.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Pom;
import dev.leasehold.examples.Repository;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/**
 * Native libraries that two JVMs unpack to the same place are overwritten while one has them
 * mapped.
 */
@DisplayName("Each test JVM has its own temporary folder")
class ForksTest {
  private static final String OWN = "-Djava.io.tmpdir=${test.tmp}/${surefire.forkNumber}";
  private static final List<String> RUNNERS =
      List.of("maven-surefire-plugin", "maven-failsafe-plugin");

  @Test
  @DisplayName("This one has, in its module's build folder")
  void here() throws Exception {
    Path mine = Path.of(System.getProperty("java.io.tmpdir"));
    assertEquals(Path.of("target", "tmp").toAbsolutePath(), mine.getParent());
    Path file = File.createTempFile("forks", null).toPath();
    assertEquals(mine, file.getParent());
    Files.delete(file);
  }

  @Test
  @DisplayName("Whatever starts test JVMs gives them one, in each module")
  void everywhere() throws Exception {
    TreeSet<String> given = new TreeSet<>();
    for (Element pom : poms()) {
      for (Element argLine : Pom.all(pom, "argLine")) {
        assertTrue(argLine.getTextContent().contains(OWN), argLine::getTextContent);
        Element configuration = (Element) argLine.getParentNode();
        given.add(Pom.text((Element) configuration.getParentNode(), "artifactId"));
      }
    }
    assertEquals(new TreeSet<>(RUNNERS), given);
  }

  @Test
  @DisplayName("No module has its folders elsewhere, or test JVMs that share this one")
  void nothingElse() throws Exception {
    List<Element> modules = poms();
    Element root = modules.remove(0);
    assertEquals(
        "${project.build.directory}/tmp",
        Pom.text(Pom.children(root, "properties").get(0), "test.tmp"));
    for (Element module : modules) {
      assertEquals(List.of(), Pom.all(module, "test.tmp"));
      assertEquals(List.of(), Pom.all(module, "java.io.tmpdir"));
    }
    for (Element execution : Pom.all(root, "execution")) {
      if (Pom.text(execution, "id").equals("temporary-folders")) {
        assertFalse(Pom.all(execution, "delete").isEmpty(), "a first build each time");
      }
    }
  }

  @Test
  @DisplayName("There is a folder for each, however many a module starts")
  void enough() throws Exception {
    List<Element> poms = poms();
    TreeSet<String> made =
        Pom.all(poms.get(0), "mkdir").stream()
            .map(folder -> folder.getAttribute("dir"))
            .collect(Collectors.toCollection(TreeSet::new));
    for (Element pom : poms) {
      for (String setting : List.of("forkCount", "test.forks")) {
        for (Element forks : Pom.all(pom, setting)) {
          String number = forks.getTextContent().strip();
          if (!number.equals("${test.forks}")) {
            Stream.iterate(1, n -> n <= Integer.parseInt(number), n -> n + 1)
                .forEach(n -> assertTrue(made.contains("${test.tmp}/" + n), made::toString));
          }
        }
      }
    }
  }

  /** The root's pom comes first. */
  private static List<Element> poms() throws Exception {
    List<Element> poms = new ArrayList<>(List.of(Pom.of(Repository.root())));
    for (Path folder : Repository.folders()) {
      poms.add(Pom.of(folder));
    }
    return poms;
  }
}
