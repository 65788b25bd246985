package dev.leasehold.cli;

import dev.leasehold.admin.Omission;
import dev.leasehold.cli.process.Terminal;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/**
 * Messages on standard error, prefixed with the name of the command. Standard output is left to
 * results and the user's command.
 */
final class Messages {
  private Messages() {}

  static void error(String text) {
    say("@|bold,red leasehold:|@ ", text);
  }

  static void warning(String text) {
    say("@|bold,yellow leasehold:|@ ", text);
  }

  /** Warns of what a result lacks. */
  static void warnings(List<Omission> omissions) {
    omissions.forEach(omission -> warning(omission.words()));
  }

  private static void say(String prefix, String text) {
    String shown = colours(2).string(prefix);
    PrintStream out = System.err;
    text.lines().forEach(line -> out.println(shown + line));
    out.flush();
  }

  /** Returns colors if the stream is a terminal and {@code NO_COLOR} is not set. */
  static Ansi colours(int stream) {
    String no = System.getenv("NO_COLOR");
    return Terminal.is(stream) && (no == null || no.isEmpty()) ? Ansi.ON : Ansi.OFF;
  }
}
