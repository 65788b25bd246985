package dev.leasehold.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether this process is connected to a terminal. Needs Linux's {@code /proc}; elsewhere the
 * answer is no.
 */
public final class Terminal {
  // Counted from the process's state, the first word behind its name in /proc/self/stat.
  private static final int GROUP = 2;
  private static final int TERMINAL = 4;
  private static final int FOREGROUND = 5;

  private Terminal() {}

  /** Returns whether a standard stream, 0 to 2, is a terminal. */
  public static boolean is(int stream) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether this process is in the foreground of its controlling terminal. */
  static boolean isOurs() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return !words[TERMINAL].equals("0") && words[FOREGROUND].equals(words[GROUP]);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
