package dev.leasehold.examples.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.examples.Repository;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The engine can be read in parts")
class EngineStructureTest {
  private static final String ENGINE = "dev.leasehold.lock.internal";
  private static final int LARGEST_CYCLE = 8;
  private static final int MOST_FILES = 20;

  /**
   * The uses of the engine by exported packages: the static methods by which an application gets
   * its first object.
   */
  private static final Set<String> ENTRANCES =
      Set.of(
          "DistributedLock -> several.AllLocks",
          "LeaderElection -> election.ElectionBuilder",
          "LockManager -> EngineBuilder",
          "LockManager -> config.Discovery",
          "LockOptions -> config.EngineSettings",
          "LockSettings -> config.Discovery",
          "LockSettings -> config.MapSettings");

  private static final List<JavaClass> MODULE =
      new ClassFileImporter()
          .importPath(Repository.folder("lock-api").resolve("target/classes")).stream().toList();

  private static final List<JavaClass> CLASSES =
      MODULE.stream().filter(item -> Part.isUnder(item.getPackageName(), ENGINE)).toList();

  @Test
  @DisplayName("Its packages don't use one another in a circle")
  void packages() {
    assertEquals(List.of(), Cycles.in(packagesOf(Cycles.uses(CLASSES))));
  }

  @Test
  @DisplayName("No more than eight of its classes use one another in a circle")
  void classes() {
    assertFalse(CLASSES.isEmpty());
    assertEquals(List.of(), tooLarge(Cycles.in(Cycles.uses(CLASSES))));
  }

  @Test
  @DisplayName("No package of it has more than twenty files")
  void sizes() {
    Map<Path, Long> files =
        Repository.mainSources("lock-api").stream()
            .filter(file -> file.toString().contains(ENGINE.replace('.', '/')))
            .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
    assertFalse(files.isEmpty());
    files.forEach(
        (folder, count) ->
            assertTrue(
                count <= MOST_FILES,
                () -> folder.getFileName() + " has " + count + " files: split it by concerns"));
  }

  @Test
  @DisplayName("Exported packages use it in these places only")
  void entrances() {
    assertEquals(
        new TreeSet<>(ENTRANCES),
        entrances(Cycles.uses(MODULE)),
        "exported packages use the engine in other places than before. The API and the SPI are"
            + " interfaces and values that a reader understands without the engine, and each further"
            + " use enlarges the cycle between them. Move the code into the engine, or extend"
            + " ENTRANCES and say in lock-api/DESIGN.md why there is no other way");
  }

  private static Set<String> entrances(Map<String, Set<String>> uses) {
    String api = ENGINE.substring(0, ENGINE.lastIndexOf('.') + 1);
    Set<String> found = new TreeSet<>();
    uses.forEach(
        (name, used) ->
            used.stream()
                .filter(other -> !Part.isUnder(packageOf(name), ENGINE))
                .filter(other -> Part.isUnder(packageOf(other), ENGINE))
                .map(other -> other.substring(ENGINE.length() + 1))
                .forEach(other -> found.add(name.substring(api.length()) + " -> " + other)));
    return found;
  }

  private static List<Set<String>> tooLarge(Collection<Set<String>> cycles) {
    return cycles.stream().filter(cycle -> cycle.size() > LARGEST_CYCLE).toList();
  }

  private static Map<String, Set<String>> packagesOf(Map<String, Set<String>> classes) {
    Map<String, Set<String>> uses = new HashMap<>();
    classes.forEach(
        (name, used) -> {
          Set<String> mine = uses.computeIfAbsent(packageOf(name), own -> new TreeSet<>());
          used.forEach(other -> mine.add(packageOf(other)));
          mine.remove(packageOf(name));
        });
    return uses;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  @Test
  @DisplayName("A use of the engine by an exported package would be found")
  void foundEntrance() {
    assertEquals(
        Set.of("spi.LeaseStore -> hold.Hold"),
        entrances(
            Map.of(
                "dev.leasehold.lock.spi.LeaseStore",
                Set.of(ENGINE + ".hold.Hold", "a.Other"),
                ENGINE + ".Engine",
                Set.of(ENGINE + ".hold.Hold", "dev.leasehold.lock.Lease"))));
  }

  @Test
  @DisplayName("Both would find a circle if there were one")
  void found() {
    Map<String, Set<String>> ring = new HashMap<>();
    for (int i = 0; i <= LARGEST_CYCLE; i++) {
      ring.put("a.C" + i, Set.of("a.C" + (i + 1) % (LARGEST_CYCLE + 1), "b.Common"));
    }
    assertEquals(List.of(ring.keySet()), tooLarge(Cycles.in(ring)));
    assertEquals(List.of(), Cycles.in(packagesOf(ring)));
    ring.put("b.Common", Set.of("c.Other"));
    ring.put("c.Other", Set.of("a.C0"));
    assertEquals(List.of(Set.of("a", "b", "c")), Cycles.in(packagesOf(ring)));
  }
}
