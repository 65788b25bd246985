package dev.leasehold.examples.snippet;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles examples against the class path of the tests, and keeps nothing. */
final class SnippetCompiler {
  private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]+;\\R?");

  /** What is nobody's: what examples are given, and assertions of tests. */
  private static final String GIVEN =
      """
      import dev.leasehold.examples.snippet.given.*;
      import static org.junit.jupiter.api.Assertions.*;
      """;

  /** What an example in a comment may use without importing it: its file has imports. */
  private static final String IMPORTS =
      """
      import dev.leasehold.lock.*;
      import dev.leasehold.lock.spi.*;
      import dev.leasehold.lock.spi.quorum.*;
      import dev.leasehold.memory.*;
      import java.time.Duration;
      import java.util.*;
      import java.util.concurrent.*;
      """;

  /** How a page tells its readers what its examples import. */
  private static final Pattern TOLD = Pattern.compile("(?m)^Examples here import (.*)\\.$");

  /** A type by its simple name. */
  private static final Pattern TYPE = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

  private static final Pattern NAME = Pattern.compile("`([\\w.*]+)`");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Kept, since it knows what is in the jars. */
  private static final JavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, null);

  private final Path scratch;

  private final String imports;

  private SnippetCompiler(Path scratch, String imports) {
    this.scratch = scratch;
    this.imports = GIVEN + imports;
  }

  /**
   * For examples in comments.
   *
   * @param scratch a folder for the class files
   */
  static SnippetCompiler ofComments(Path scratch) {
    return new SnippetCompiler(scratch, IMPORTS);
  }

  /** For those of a page, which may use what they import, or what the page says they do. */
  static SnippetCompiler ofPage(Path scratch, String page) {
    StringBuilder imports = new StringBuilder();
    TOLD.matcher(page)
        .results()
        .flatMap(line -> NAME.matcher(line.group(1)).results())
        .forEach(name -> imports.append("import ").append(name.group(1)).append(";\n"));
    return new SnippetCompiler(scratch, imports.toString());
  }

  /** The compiler's errors, none if the example is right. */
  List<String> errors(Snippet snippet) {
    List<String> forms = forms(snippet);
    List<String> first = List.of();
    for (String form : forms) {
      List<String> syntax = run(form, Depth.PARSE);
      if (syntax.isEmpty()) {
        List<String> errors = run(form, Depth.COMPILE);
        // A newer compiler parses members without a class as a file.
        if (errors.stream().noneMatch(error -> error.contains("implicitly declared classes"))) {
          return errors;
        }
        syntax = errors;
      }
      first = syntax;
    }
    return first;
  }

  /**
   * The example as a file, as members and as statements: the first that parses is meant. What is
   * given something is statements.
   */
  private List<String> forms(Snippet snippet) {
    StringBuilder all = new StringBuilder(imports);
    TYPE.matcher(snippet.given()).results().forEach(type -> all.append(imported(type.group())));
    Matcher m = IMPORT.matcher(snippet.code());
    while (m.find()) {
      all.append(m.group());
    }
    String body = IMPORT.matcher(snippet.code()).replaceAll("");
    String whole = snippet.code().contains("package ") ? snippet.code() : all + body;
    String members = all + "class Snippet {\n" + body + "\n}";
    String statements =
        all
            + "class Snippet {\nvoid run("
            + snippet.given()
            + ") throws Throwable {\n"
            + body
            + "\n}\n}";
    return snippet.given().isEmpty() ? List.of(whole, members, statements) : List.of(statements);
  }

  /** The import of a type that an example is given: its reader has it already. */
  private static String imported(String type) {
    for (String known : List.of("dev.leasehold.lock.", "dev.leasehold.lock.spi.")) {
      try {
        Class.forName(known + type, false, SnippetCompiler.class.getClassLoader());
        return "import " + known + type + ";\n";
      } catch (ClassNotFoundException elsewhere) {
        // Or it has no package, or is one of the JDK's.
      }
    }
    return type.equals("List") ? "import java.util.List;\n" : "";
  }

  private enum Depth {
    PARSE,
    COMPILE
  }

  private List<String> run(String code, Depth depth) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try {
      if (depth == Depth.PARSE) {
        task(List.of("-proc:none"), code, problems).parse();
      } else {
        task(
                List.of("-proc:none", "--release", "17", "-d", scratch.toString(), "-cp", path()),
                code,
                problems)
            .generate();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> errors = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> d : problems.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) {
        String line = code.lines().skip(Math.max(0, d.getLineNumber() - 1)).findFirst().orElse("");
        errors.add(d.getMessage(Locale.ROOT) + " at: " + line.strip());
      }
    }
    return errors;
  }

  private static JavacTask task(
      List<String> options, String code, DiagnosticCollector<JavaFileObject> problems) {
    return (JavacTask) COMPILER.getTask(null, FILES, problems, options, null, List.of(file(code)));
  }

  private static String path() {
    return System.getProperty("java.class.path");
  }

  private static JavaFileObject file(String code) {
    Matcher type =
        Pattern.compile("(?m)^public (?:\\w+ )*?(?:class|interface|record|enum) (\\w+)")
            .matcher(code);
    String name = type.find() ? type.group(1) : "Snippet";
    return new SimpleJavaFileObject(
        URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
      }
    };
  }
}
