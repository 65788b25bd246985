package dev.leasehold.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that contend for locks of every kind, and the page of {@code leasehold console} that
 * shows them, until Enter is pressed. The command's classes have to be on the path.
 */
public final class Showcase {
  private static final int PROCESSES = 4;

  private Showcase() {}

  /** Arguments: the server's URI, and the page's port, or 0. */
  public static void main(String[] args) throws IOException {
    run(args[0], Integer.parseInt(args[1]), System.in, System.out);
  }

  /**
   * Runs until {@code in} has a character or ends.
   *
   * @param port where the page is; 0 for any free port
   */
  public static void run(String uri, int port, InputStream in, PrintStream out) throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 1; i <= PROCESSES; i++) {
        processes.add(start(ShowcaseWorker.class.getName(), uri, "worker-" + i));
      }
      Process console =
          start(
              JavaProcess.LEASEHOLD,
              "console",
              "--redis",
              uri,
              "--backend",
              "redis-set",
              "--port",
              "" + port);
      processes.add(console);
      BufferedReader said = console.inputReader(StandardCharsets.UTF_8);
      String page = said.readLine();
      if (page == null) { // the command has said why
        throw new IOException("leasehold console ended");
      }
      out.println(
          "3. Four processes contend for locks of every kind. Open " + page + " to see them.");
      out.println("   Enter ends it.");
      out.flush();
      in.read();
    } finally {
      processes.forEach(Process::destroyForcibly);
      processes.forEach(process -> process.onExit().join());
    }
  }

  private static Process start(String main, String... arguments) throws IOException {
    return JavaProcess.of(main, List.of(arguments))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
