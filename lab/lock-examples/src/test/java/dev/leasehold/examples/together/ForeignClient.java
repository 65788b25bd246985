package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.server.RedisServer;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A lock client on Node.js. The test is skipped if it is not installed. */
final class ForeignClient implements AutoCloseable {
  private static final Path FOLDER = Path.of("target", "foreign").toAbsolutePath();
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter orders;

  private ForeignClient(Process process) {
    this.process = process;
    this.answers = process.inputReader();
    this.orders = process.outputWriter();
  }

  /** Installs the libraries once; skips the test, with the reason, if that is impossible. */
  static void install() throws IOException, InterruptedException {
    assumeTrue(isOnPath("node") && isOnPath("npm"), "not run: Node.js or npm is not here");
    Files.createDirectories(FOLDER);
    for (String file : new String[] {"package.json", "client.js"}) {
      try (InputStream in = ForeignClient.class.getResourceAsStream("/foreign/" + file)) {
        Files.copy(in, FOLDER.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Process npm =
        new ProcessBuilder(
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--loglevel=error")
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(FOLDER.resolve("npm.log").toFile())
            .start();
    boolean ended = npm.waitFor(30, TimeUnit.SECONDS);
    if (!ended) {
      npm.destroyForcibly();
    }
    assumeTrue(
        ended && npm.exitValue() == 0,
        () -> "not run: npm could not install the foreign clients: " + log());
  }

  private static String log() {
    try {
      return Files.readString(FOLDER.resolve("npm.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static boolean isOnPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  /** A library's client on a server, or on several as its nodes. */
  static ForeignClient start(String library, List<RedisServer> servers) {
    String ports =
        servers.stream()
            .map(server -> Integer.toString(server.port()))
            .collect(Collectors.joining(","));
    try {
      return new ForeignClient(
          new ProcessBuilder("node", "client.js", library, ports)
              .directory(FOLDER.toFile())
              .redirectError(ProcessBuilder.Redirect.appendTo(FOLDER.resolve("node.log").toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a command and waits for the answer. */
  String tell(String order) {
    begin(order);
    return answer();
  }

  void begin(String order) {
    try {
      orders.write(order);
      orders.newLine();
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String answer() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
