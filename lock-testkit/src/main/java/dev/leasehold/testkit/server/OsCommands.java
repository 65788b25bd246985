package dev.leasehold.testkit.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs short operating system commands. */
final class OsCommands {
  private OsCommands() {}

  /** A command's output, standard error included, and its exit status. */
  record Result(int status, String output) {}

  /** Runs a command to its end. An interrupt does not end the wait and is restored afterwards. */
  static Result run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.onExit().join().exitValue(), output);
    } catch (IOException e) {
      throw new ServerException(command.get(0) + " could not be run: " + e.getMessage(), e);
    }
  }
}
