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

/** Compiles examples against the tests' class path, and discards the results. */
final class SnippetCompiler {
  private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]+;\\R?");

  /** Available to all examples: the given variables' types, and test assertions. */
  private static final String GIVEN =
      """
      import dev.leasehold.examples.snippet.given.*;
      import static org.junit.jupiter.api.Assertions.*;
      """;

  /** Imports for examples in comments, whose file has imports of its own. */
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

  /** The sentence by which a page states the imports of its examples. */
  private static final Pattern TOLD = Pattern.compile("(?m)^Examples here import (.*)\\.$");

  /** A type by its simple name. */
  private static final Pattern TYPE = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

  private static final Pattern NAME = Pattern.compile("`([\\w.*]+)`");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Kept, since it has cached the contents of the jars. */
  private static final JavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, null);

  private final Path scratch;

  private final String imports;

  private SnippetCompiler(Path scratch, String imports) {
    this.scratch = scratch;
    this.imports = GIVEN + imports;
  }

  /**
   * A compiler for examples in comments.
   *
   * @param scratch a folder for the class files
   */
  static SnippetCompiler ofComments(Path scratch) {
    return new SnippetCompiler(scratch, IMPORTS);
  }

  /**
   * A compiler for a page's examples, which may use what they import and what the page says they
   * import.
   */
  static SnippetCompiler ofPage(Path scratch, String page) {
    StringBuilder imports = new StringBuilder();
    TOLD.matcher(page)
        .results()
        .flatMap(line -> NAME.matcher(line.group(1)).results())
        .forEach(name -> imports.append("import ").append(name.group(1)).append(";\n"));
    return new SnippetCompiler(scratch, imports.toString());
  }

  /** The compiler's errors; empty if the example is correct. */
  List<String> errors(Snippet snippet) {
    List<String> forms = forms(snippet);
    List<String> first = List.of();
    for (String form : forms) {
      List<String> syntax = run(form, Depth.PARSE);
      if (syntax.isEmpty()) {
        List<String> errors = run(form, Depth.COMPILE);
        // A newer compiler accepts class members as a whole file.
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
   * The example as a file, as members and as statements; the first form that parses counts. An
   * example with given variables consists of statements.
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

  /** The import for the type of a given variable, which readers do not see. */
  private static String imported(String type) {
    for (String known : List.of("dev.leasehold.lock.", "dev.leasehold.lock.spi.")) {
      try {
        Class.forName(known + type, false, SnippetCompiler.class.getClassLoader());
        return "import " + known + type + ";\n";
      } catch (ClassNotFoundException elsewhere) {
        // In another package, or none.
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
