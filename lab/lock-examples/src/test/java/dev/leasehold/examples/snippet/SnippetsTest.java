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
    List<Snippet> snippets = new ArrayList<>();
    for (Path page : Repository.pages()) {
      String name = Repository.root().relativize(page).toString();
      snippets.addAll(Snippet.inMarkdown(name, Files.readString(page)));
    }
    assertFalse(snippets.isEmpty(), "no example found in any page");
    return tests(snippets);
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
    return tests(snippets);
  }

  private Stream<DynamicTest> tests(List<Snippet> snippets) {
    return snippets.stream()
        .map(
            snippet ->
                DynamicTest.dynamicTest(
                    snippet.origin(),
                    () ->
                        assertEquals(
                            List.of(),
                            new SnippetCompiler(scratch).errors(snippet),
                            () -> snippet.origin() + "\n" + snippet.code())));
  }

  @Test
  @DisplayName("A wrong example is found, whatever its form; a right one passes")
  void canFail() {
    SnippetCompiler compiler = new SnippetCompiler(scratch);
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
  @DisplayName("Examples in comments are found with what they are given")
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
