package dev.leasehold.examples.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("House rules that only the source can show")
class SourceRulesTest {
  private static final int MOST_LINES = 400;

  static List<String> modules() {
    return Repository.modules();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("Everything public has a comment")
  void comments(String module) {
    List<String> found = new ArrayList<>();
    SourceFile.of(module).forEach(file -> found.addAll(file.withoutComment()));
    assertEquals(List.of(), found);
  }

  /** Modules whose code runs in applications, unlike the kit and the examples. */
  static List<String> inApplications() {
    return modules().stream()
        .filter(m -> !m.equals("lock-testkit") && !m.equals("lock-examples"))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("inApplications")
  @DisplayName("No synchronized: a virtual thread that waits in one pins its carrier")
  void monitors(String module) {
    List<String> found = new ArrayList<>();
    SourceFile.of(module).forEach(file -> found.addAll(file.monitors()));
    assertEquals(List.of(), found);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("No file is longer than 400 lines, of main code or of tests")
  void length(String module) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : Repository.allSources(module)) {
      long lines = Files.readString(file).lines().count();
      if (lines > MOST_LINES) {
        found.add(file + " has " + lines + " lines");
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  @DisplayName("No two classes have the same simple name")
  void names() throws IOException {
    Map<String, List<String>> modules = new TreeMap<>();
    for (String module : modules()) {
      for (Path file : Repository.mainSources(module)) {
        modules
            .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
            .add(module);
      }
    }
    modules.keySet().removeAll(Set.of("package-info.java", "module-info.java"));
    modules.values().removeIf(in -> in.size() == 1);
    assertEquals(Map.of(), modules);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("Every package documents its content, and is null-marked")
  void packages(String module) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : Repository.mainSources(module)) {
      Path info = file.resolveSibling("package-info.java");
      if (file.endsWith("module-info.java")) {
        continue;
      }
      String text = Files.isRegularFile(info) ? Files.readString(info) : "";
      if (!text.startsWith("/**") || !text.contains("\n@NullMarked\n")) {
        found.add(
            Repository.root().relativize(info)
                + " is missing, has no comment, or lacks @NullMarked");
      }
    }
    assertEquals(Set.of(), found);
  }

  @Test
  @DisplayName("The check of comments finds missing ones, and demands no more than that")
  void commentsCanFail() {
    SourceFile file =
        SourceFile.of(
            "Sample.java",
            """
            /** Fine. */
            public class Sample {
              public int bare;
              /** Fine. */ public int commented;
              private int hidden;
              Sample() {}
              protected void bareMethod() {}
              @Override public String toString() { return ""; }
              public interface Bare { void inBare(); }
              /** Fine. */ public record R(int a) { public R { } }
              /** Fine. */ public enum E { BARE, /** Fine. */ COMMENTED }
              class Hidden { public void inHidden() {} }
            }
            """);
    assertEquals(
        List.of(
            "Sample.java:3 Sample.bare has no comment",
            "Sample.java:7 Sample.bareMethod has no comment",
            "Sample.java:9 Bare has no comment",
            "Sample.java:9 Bare.inBare has no comment",
            "Sample.java:11 E.BARE has no comment"),
        file.withoutComment());
  }

  @Test
  @DisplayName("The check of synchronized finds blocks and methods")
  void monitorsCanFail() {
    SourceFile file =
        SourceFile.of(
            "Sample.java",
            """
            class Sample {
              synchronized void method() {}
              void block() { Runnable r = () -> { synchronized (this) { } }; }
              void word() { String s = "synchronized"; }
            }
            """);
    assertEquals(
        List.of("Sample.java:2 method is synchronized", "Sample.java:3 has a synchronized block"),
        file.monitors());
  }
}
