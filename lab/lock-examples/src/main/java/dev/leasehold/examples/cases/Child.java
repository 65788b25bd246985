package dev.leasehold.examples.cases;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A child process of an example, which reports its progress line by line and waits for the signal
 * to continue.
 */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private Child(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  static Child start(Class<?> main, String... arguments) throws IOException {
    return start(Map.of(), main, arguments);
  }

  static Child start(Map<String, String> environment, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return new Child(builder.start());
  }

  /** In the child: prints a line, and waits for the signal to continue. */
  static void sayAndWait(String line) throws IOException {
    System.out.println(line);
    System.in.read();
  }

  /** For examples without a Redis client of their own: its processes start fastest. */
  static LockManager locks(String uri) {
    return locks("redis-setnx", uri);
  }

  /** For examples that use Lettuce themselves. */
  static LockManager locksOnLettuce(String uri) {
    return locks("redis-set", uri);
  }

  /**
   * A manager on an example's server; the long time-out allows for several processes that start at
   * once.
   */
  private static LockManager locks(String backend, String uri) {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.backend",
                backend,
                "lock.redis.uri",
                uri,
                "lock.redis.connect-timeout",
                "20s")));
  }

  /** The child's next line. */
  String next() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IOException("the process has ended");
    }
    return line;
  }

  void goOn() throws IOException {
    OutputStream in = process.getOutputStream();
    in.write('\n');
    in.flush();
  }

  /** Pauses it, as a long garbage collection or a suspended machine would. */
  void pause() throws Exception {
    signal("-STOP");
  }

  void resume() throws Exception {
    signal("-CONT");
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
  }

  void awaitEnd() throws InterruptedException {
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
