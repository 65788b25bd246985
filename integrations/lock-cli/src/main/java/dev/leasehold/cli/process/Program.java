package dev.leasehold.cli.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Looks up a command as a shell does, so that a wrong one is reported before a lock is acquired.
 */
public final class Program {
  /** The exit code of shells for a command that exists but can't be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** The exit code of shells for a command that does not exist. */
  public static final int NOT_FOUND = 127;

  private Program() {}

  /**
   * Looks a command up.
   *
   * @return 0, {@link #NOT_EXECUTABLE} or {@link #NOT_FOUND}
   */
  public static int look(String command, Map<String, String> environment) {
    if (command.contains("/")) {
      return look(command);
    }
    int found = NOT_FOUND;
    for (String folder : environment.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
      int here =
          command.isEmpty() ? NOT_FOUND : look((folder.isEmpty() ? "." : folder) + "/" + command);
      if (here == 0) {
        return 0;
      }
      found = Math.min(found, here);
    }
    return found;
  }

  private static int look(String path) {
    File file;
    try {
      file = Path.of(path).toFile();
    } catch (InvalidPathException e) {
      return NOT_FOUND;
    }
    if (!file.exists()) {
      return NOT_FOUND;
    }
    return file.isFile() && Files.isExecutable(file.toPath()) ? 0 : NOT_EXECUTABLE;
  }
}
