package dev.leasehold.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a newcomer copies from README.md. */
record Readme(String text) {

  static Readme of(Path root) throws IOException {
    return new Readme(Files.readString(root.resolve("README.md")));
  }

  /** The first block of a language. */
  String first(String language) {
    Matcher block = Pattern.compile("(?ms)^```" + language + "\\R(.*?)^```$").matcher(text);
    if (!block.find()) {
      throw new IllegalStateException("README.md shows no " + language);
    }
    return block.group(1);
  }

  /**
   * The first example, with what it uses but does not declare around it.
   *
   * @param port where the server is
   */
  String program(int port) {
    return """
        import dev.leasehold.lock.*;
        import java.util.Map;

        public class Newcomer {
          interface Ledger {
            void append(String entry, long fencingToken);
          }

          public static void main(String[] args) throws Exception {
            Ledger ledger = (entry, token) -> System.out.println(entry + (token > 0));
            String entry = "written with a token: ";
        """
        + first("java").replace("127.0.0.1:6379", "127.0.0.1:" + port)
        + "  }\n}\n";
  }

  /** What it prints, and nothing besides. */
  static final String PRINTS = "written with a token: true\n";
}
