package dev.leasehold.examples.snippet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Every Java example that a reader sees compiles")
class SnippetsTest {
  @TempDir Path scratch;

  @TestFactory
  @DisplayName("in README.md and the other pages")
  Stream<DynamicTest> pages() throws IOException {
    List<DynamicTest> all = new ArrayList<>();
    for (Path page : Repository.pages()) {
      String name = Repository.root().relativize(page).toString();
      String text = Files.readString(page);
      SnippetCompiler compiler = SnippetCompiler.ofPage(scratch, text);
      tests(Snippet.inMarkdown(name, text), compiler).forEach(all::add);
    }
    assertFalse(all.isEmpty(), "no example found in any page");
    return all.stream();
  }

  @Test
  @DisplayName("or is copied from a file that is compiled and run")
  void cuts() throws IOException {
    List<Cut> cuts = new ArrayList<>();
    for (Path page : Repository.pages()) {
      String name = Repository.root().relativize(page).toString();
      cuts.addAll(Cut.inMarkdown(name, Files.readString(page)));
    }
    assertFalse(cuts.isEmpty(), "no cut found in any page");
    for (Cut cut : cuts) {
      assertTrue(cut.isThere(), () -> cut.origin() + " is not in " + cut.from());
    }
  }

  @Test
  @DisplayName("A cut that is not in its file is found, and is not compiled by itself")
  void cutsCanFail() throws IOException {
    String page =
        """
        <!-- from: lock-api/pom.xml -->
          ```java
          NoSuchType t;
            NoSuchType u;
          ```
        """;
    assertEquals(List.of(), Snippet.inMarkdown("sample.md", page));
    Cut cut = new Cut("sample.md:1", "lock-api/pom.xml", "NoSuchType t;\n  NoSuchType u;");
    assertEquals(List.of(cut), Cut.inMarkdown("sample.md", page));
    assertFalse(cut.isThere());
  }

  @TestFactory
  @DisplayName("in comments")
  Stream<DynamicTest> comments() throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    for (String module : Repository.modules()) {
      for (Path file : Repository.mainSources(module)) {
        String name = Repository.root().relativize(file).toString();
        snippets.addAll(Snippet.inComments(name, Files.readString(file)));
      }
    }
    assertFalse(snippets.isEmpty(), "no example found in any comment");
    return tests(snippets, SnippetCompiler.ofComments(scratch));
  }

  private static Stream<DynamicTest> tests(List<Snippet> snippets, SnippetCompiler compiler) {
    return snippets.stream()
        .map(
            snippet ->
                DynamicTest.dynamicTest(
                    snippet.origin(),
                    () ->
                        assertEquals(
                            List.of(),
                            compiler.errors(snippet),
                            () -> snippet.origin() + "\n" + snippet.code())));
  }

  @Test
  @DisplayName("A wrong example is found, whatever its form; a right one passes")
  void canFail() {
    SnippetCompiler compiler = SnippetCompiler.ofComments(scratch);
    List<Snippet> snippets =
        Snippet.inMarkdown(
            "sample.md",
            """
            Statements, with what they are given:

            <!-- given: LockManager locks, Ledger ledger -->
            ```java
            try (Lease lease = locks.lock("a").acquire()) {
              ledger.append("entry", lease.fencingToken());
            }
            ```
            The same without:
            ```java
            locks.lock("a");
            ```
            Members and a file:
            ```java
            Duration wait = Duration.ofSeconds(1);
            Lease take(LockManager locks) throws InterruptedException { return locks.lock("a").acquire(); }
            ```
            ```java
            import dev.leasehold.lock.LockSettings;
            public final class Whole { LockSettings settings; }
            ```
            Wrong ones:
            ```java
            class Broken { NoSuchType t; }
            ```
            ```java
            int i = ;
            ```
            ```java
            LockManager.noSuchMethod();
            ```
            ```text
            not Java
            ```
            """);
    assertEquals(7, snippets.size());
    List<Boolean> right = snippets.stream().map(s -> compiler.errors(s).isEmpty()).toList();
    assertEquals(List.of(true, false, true, true, false, false, false), right);
    assertTrue(compiler.errors(snippets.get(6)).toString().contains("noSuchMethod"));
  }

  @Test
  @DisplayName("An example on a page needs its imports, in itself or in the page's words")
  void imports() {
    String code = "```java\nDuration wait = Duration.ofSeconds(1);\n```\n";
    for (String page :
        List.of(
            code.replace("java\n", "java\nimport java.time.Duration;\n"),
            code + "\nExamples here import `java.util.*` and `java.time.Duration`.\n")) {
      assertEquals(List.of(), errors(page));
    }
    for (String page : List.of(code, code + "\nExamples here import `java.util.*`.\n")) {
      assertTrue(errors(page).toString().contains("cannot find symbol"), page);
    }
  }

  private List<String> errors(String page) {
    Snippet only = Snippet.inMarkdown("sample.md", page).get(0);
    return SnippetCompiler.ofPage(scratch, page).errors(only);
  }

  @Test
  @DisplayName("Examples in comments are found, with their declarations")
  void inComments() {
    List<Snippet> found =
        Snippet.inComments(
            "Sample.java",
            """
            /**
             * Words.
             *
             * <!-- given: LockManager locks -->
             * <pre>{@code
             * locks.lock("a");
             * }</pre>
             */
            """);
    assertEquals(
        List.of(new Snippet("Sample.java:4", "LockManager locks", "locks.lock(\"a\");")), found);
  }
}
