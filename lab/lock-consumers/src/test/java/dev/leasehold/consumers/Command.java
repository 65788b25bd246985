package dev.leasehold.consumers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a program printed that ended well.
 *
 * @param out on its standard output
 * @param err on its standard error
 */
record Command(String out, String err) {

  /** Runs a program in a folder to its end; another exit status than 0 fails the test. */
  static Command run(Path folder, List<String> command) throws IOException, InterruptedException {
    return run(folder, Map.of(), command);
  }

  /** The same with more in its environment. */
  static Command run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("consumer", ".out");
    Path err = Files.createTempFile("consumer", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      try {
        int status = process.waitFor();
        Command ended = new Command(Files.readString(out), Files.readString(err));
        assertEquals(0, status, () -> String.join(" ", command) + "\n" + ended.out + ended.err);
        return ended;
      } finally {
        process.destroy(); // if we were interrupted
      }
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
