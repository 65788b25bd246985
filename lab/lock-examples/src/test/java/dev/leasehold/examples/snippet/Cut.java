package dev.leasehold.examples.snippet;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An example copied from a file that is compiled and run: a block of Java below a comment with the
 * file's path, {@code <!-- from: lab/lock-jdbc/…/JdbcBackend.java -->}.
 *
 * @param origin file and line, for messages
 * @param from the file, relative to the project's root
 * @param code the example, as in the file
 */
record Cut(String origin, String from, String code) {
  static final Pattern FROM = Pattern.compile("<!--\\s*from:\\s*(\\S+)\\s*-->");

  private static final Pattern BLOCK =
      Pattern.compile(FROM.pattern() + "\\s*?\\n( *)```java\\n(.*?)\\n *```", Pattern.DOTALL);

  static List<Cut> inMarkdown(String file, String text) {
    List<Cut> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      long line = text.substring(0, block.start()).lines().count() + 1;
      String code = block.group(3).replaceAll("(?m)^" + block.group(2), "");
      found.add(new Cut(file + ":" + line, block.group(1), code));
    }
    return found;
  }

  boolean isThere() throws IOException {
    return Files.readString(Repository.root().resolve(from)).contains(code);
  }
}
