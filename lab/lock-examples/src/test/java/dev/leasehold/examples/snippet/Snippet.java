package dev.leasehold.examples.snippet;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java example: a Markdown block fenced as {@code java}, or a {@code <pre>} block with
 * {@code @code} in a comment.
 *
 * <p>An example may be a whole file, members of a class, or statements. Variables that it uses but
 * does not declare are listed in a comment on the line before it, which readers do not see: {@code
 * <!-- given: LockManager locks, Ledger ledger -->}.
 *
 * @param origin file and line, for messages
 * @param given parameters of the method around the statements
 * @param code the example
 */
record Snippet(String origin, String given, String code) {
  private static final Pattern GIVEN = Pattern.compile("<!--\\s*given:\\s*(.*?)\\s*-->");
  private static final Pattern FENCE = Pattern.compile("^(\\s*)```\\s*(\\w*).*$");
  private static final Pattern PRE =
      Pattern.compile(
          "(?:<!--\\s*given:\\s*([^>]*?)\\s*-->\\s*(?:\\*\\s*)*)?<pre>\\{@code\\R(.*?)\\R[ *]*\\}</pre>",
          Pattern.DOTALL);

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (?!static)[\\w.]+\\.(\\w+);");

  /** The examples on a Markdown page. */
  static List<Snippet> inMarkdown(String file, String text) {
    List<Snippet> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    String given = "";
    boolean isCut = false; // if so, it is compiled as part of its source file
    for (int i = 0; i < lines.size(); i++) {
      Matcher hint = GIVEN.matcher(lines.get(i));
      Matcher fence = FENCE.matcher(lines.get(i));
      if (hint.find()) {
        given = hint.group(1);
      } else if (Cut.FROM.matcher(lines.get(i)).find()) {
        isCut = true;
      } else if (fence.matches()) {
        int start = i + 1;
        StringBuilder code = new StringBuilder();
        for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
          code.append(lines.get(i)).append('\n');
        }
        if (i == lines.size()) {
          throw new IllegalArgumentException(file + ":" + start + ": the block has no end");
        }
        if (fence.group(2).equals("java") && !isCut) {
          found.add(new Snippet(file + ":" + start, given, code.toString()));
        }
        given = "";
        isCut = false;
      } else if (!lines.get(i).isBlank()) {
        given = "";
        isCut = false;
      }
    }
    return found;
  }

  /** The examples in a Java file's comments, which may use the file's package and imports. */
  static List<Snippet> inComments(String file, String text) {
    List<Snippet> found = new ArrayList<>();
    Matcher m = PRE.matcher(text);
    while (m.find()) {
      long line = text.substring(0, m.start()).lines().count();
      String given = m.group(1) == null ? "" : m.group(1).replaceAll("\\R\\s*\\*", " ");
      String code = m.group(2).replaceAll("(?m)^ *\\* ?", "");
      found.add(new Snippet(file + ":" + line, given, imports(text, given + " " + code) + code));
    }
    return found;
  }

  /** The file's package, and those of its imports that the example uses. */
  private static String imports(String text, String example) {
    StringBuilder imports = new StringBuilder();
    Matcher home = PACKAGE.matcher(text);
    if (home.find()) {
      imports.append("import ").append(home.group(1)).append(".*;\n");
    }
    Matcher each = IMPORT.matcher(text);
    while (each.find()) {
      if (Pattern.compile("\\b" + each.group(1) + "\\b").matcher(example).find()) {
        imports.append(each.group()).append('\n');
      }
    }
    return imports.toString();
  }
}
