package dev.leasehold.examples.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The arrows between the modules")
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .importPaths(
              Repository.modules().stream()
                  .map(module -> Repository.folder(module).resolve("target/classes"))
                  .toList());

  /** The parts that have code. */
  static List<Part> parts() {
    return Part.ALL.stream().filter(p -> !Repository.mainSources(p.folder()).isEmpty()).toList();
  }

  @Test
  @DisplayName("Every module of the build has a row in the table, and its code was found")
  void complete() {
    assertEquals(
        Repository.modules(),
        Part.ALL.stream().map(Part::folder).sorted().collect(Collectors.toList()));
    for (Part part : parts()) {
      assertTrue(
          MAIN.stream().anyMatch(c -> part.owns(c.getPackageName())),
          "no class under " + part.root());
    }
  }

  @Test
  @DisplayName("The table that a reader sees has a row for each part, with its package")
  void written() throws IOException {
    String page = Files.readString(Repository.folder("lock-api").resolve("DESIGN.md"));
    for (Part part : Part.ALL) {
      Path folder = Repository.root().relativize(Repository.folder(part.folder()));
      String row =
          folder.getNameCount() == 1
              ? "| `" + folder + "` | `" + part.root() + "` |"
              : "| `" + folder.getParent() + "/` |";
      assertTrue(page.contains(row), () -> "DESIGN.md has no " + row);
    }
  }

  @Test
  @DisplayName("That page lists each integration, with the modules that it uses beside lock-api")
  void integrations() throws IOException {
    String page = Files.readString(Repository.folder("lock-api").resolve("DESIGN.md"));
    for (Part part : Part.ALL) {
      if (Repository.folder(part.folder()).getParent().endsWith("integrations")) {
        List<String> row =
            page.lines().filter(line -> line.startsWith("| `" + part.folder() + "` |")).toList();
        assertEquals(1, row.size(), () -> "rows of " + part.folder());
        assertEquals(othersOf(part), modulesIn(row.get(0).split("\\|")[2]), part.folder());
      }
    }
  }

  private static Set<String> othersOf(Part part) {
    return Part.ALL.stream()
        .filter(other -> part.parts().contains(other.root()))
        .map(Part::folder)
        .filter(folder -> !folder.equals("lock-api"))
        .collect(Collectors.toSet());
  }

  private static Set<String> modulesIn(String cell) {
    return Pattern.compile("`(lock-[a-z-]+)`")
        .matcher(cell)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  @DisplayName("A module's classes are in its own root package: no split packages")
  void rootPackage(Part part) {
    Path classes = Repository.folder(part.folder()).resolve("target/classes");
    List<JavaClass> own =
        MAIN.stream()
            .filter(c -> c.getSource().orElseThrow().getUri().getPath().startsWith(classes + "/"))
            .filter(c -> !c.getSimpleName().equals("module-info"))
            .toList();
    assertFalse(own.isEmpty());
    assertEquals(List.of(), own.stream().filter(c -> !part.owns(c.getPackageName())).toList());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  @DisplayName("A module uses only the modules in its row")
  void arrows(Part part) {
    ArchitectureRules.arrows(part).check(MAIN);
  }

  @Test
  @DisplayName("No cycles between modules")
  void noCycles() {
    ArchitectureRules.noCycles(Part.ALL).check(MAIN);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  @DisplayName("No module uses another module's internal packages")
  void internals(Part part) {
    ArchitectureRules.internalsStayInside(part).allowEmptyShould(true).check(MAIN);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  @DisplayName("No client type in a signature outside its backend")
  void signatures(Part part) {
    ArchitectureRules.noClientTypesInSignatures(part, Part.CLIENTS)
        .allowEmptyShould(true)
        .check(MAIN);
  }

  @Test
  @DisplayName("In lock-api only the ticker asks the system for the time")
  void time() {
    Part api = Part.ALL.get(0);
    ArchitectureRules.timeOnlyThrough("dev.leasehold.lock.spi.Ticker", api).check(MAIN);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  @DisplayName("Every asynchronous step names its executor")
  void executors(Part part) {
    ArchitectureRules.executorsAreNamed(part).check(MAIN);
  }

  @Test
  @DisplayName("Only a name's mutex calls the methods of its synchronizer")
  void mutex() {
    String mutex = "dev.leasehold.lock.internal.name.Monitor";
    assertTrue(MAIN.contain(mutex));
    ArchitectureRules.onlyItselfSynchronizes(mutex).check(MAIN);
  }

  @Test
  @DisplayName("The SPI knows nothing of the engine")
  void spi() {
    ArchitectureRules.independent("dev.leasehold.lock.spi", "dev.leasehold.lock.internal")
        .check(MAIN);
  }

  @Test
  @DisplayName("In lock-api one package alone uses the flight recorder, which may not be there")
  void flight() {
    String api = "dev.leasehold.lock";
    ArchitectureRules.onlyIn(api + ".internal.flight", api, "jdk.jfr").check(MAIN);
    assertThrows(
        AssertionError.class,
        () -> ArchitectureRules.onlyIn(api + ".internal", api, "jdk.jfr").check(MAIN));
  }

  @Test
  @DisplayName("The engine knows nothing of settings, and a store on one server nothing of quorums")
  void packagesOfTheApi() {
    String engine = "dev.leasehold.lock.internal";
    String spi = "dev.leasehold.lock.spi";
    ArchitectureRules.packageIndependent(engine, engine + ".config").check(MAIN);
    ArchitectureRules.packageIndependent(spi, spi + ".quorum").check(MAIN);
    assertThrows(
        AssertionError.class,
        () -> ArchitectureRules.packageIndependent(engine + ".config", engine).check(MAIN));
  }
}
