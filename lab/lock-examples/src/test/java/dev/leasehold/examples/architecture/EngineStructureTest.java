package dev.leasehold.examples.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.examples.Repository;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The engine can be read in parts")
class EngineStructureTest {
  private static final String ENGINE = "dev.leasehold.lock.internal";
  private static final int LARGEST_CYCLE = 8;

  private static final List<JavaClass> CLASSES =
      new ClassFileImporter()
          .importPath(Repository.folder("lock-api").resolve("target/classes")).stream()
              .filter(item -> Part.isUnder(item.getPackageName(), ENGINE))
              .toList();

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
