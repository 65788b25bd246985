package dev.leasehold.cli;

import dev.leasehold.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command as a process of its own, as a user starts it. */
record Launched(Process process, Path out, Path err) implements AutoCloseable {

  static Launched start(Map<String, String> environment, String... arguments) {
    return fed(environment, "", arguments);
  }

  static Launched fed(Map<String, String> environment, String in, String... arguments) {
    List<String> words = new ArrayList<>(java());
    words.addAll(List.of(arguments));
    return of(environment, in, words);
  }

  /** The words before the command's own arguments. */
  static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
        "-Dsun.jnu.encoding=UTF-8",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName());
  }

  /**
   * A build that runs in the background, or under {@code nohup}, ignores signals, and so do its
   * processes: GNU's env starts them as a terminal does. Elsewhere, such a build fails.
   */
  private static final List<String> AS_IN_A_TERMINAL =
      List.of("env", "--default-signal=HUP", "--default-signal=INT", "--default-signal=QUIT");

  private static final boolean HAS_ENV = runs(AS_IN_A_TERMINAL);

  private static boolean runs(List<String> env) {
    try {
      List<String> words = new ArrayList<>(env);
      words.add("true");
      return new ProcessBuilder(words).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  static Launched of(Map<String, String> environment, String in, List<String> command) {
    try {
      List<String> words = new ArrayList<>(HAS_ENV ? AS_IN_A_TERMINAL : List.of());
      words.addAll(command);
      Path out = Files.createTempFile("out", null);
      Path err = Files.createTempFile("err", null);
      Path input = Files.createTempFile("in", null);
      Files.writeString(input, in);
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectInput(input.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.environment().putAll(environment);
      return new Launched(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(Await.patience().toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("still runs: " + stdout() + stderr());
    }
    return process.exitValue();
  }

  String stdout() {
    return text(out);
  }

  String stderr() {
    return text(err);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has written this many lines. */
  List<String> lines(int atLeast) {
    Await.until(atLeast + " lines of output: " + stderr(), () -> full().size() >= atLeast);
    return full();
  }

  private List<String> full() {
    String text = stdout();
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Sends it a signal, by its name. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).start().waitFor();
  }

  static boolean lives(String pid) {
    Path stat = Path.of("/proc", pid.strip(), "stat");
    try {
      return !Files.readString(stat).contains(") Z "); // ended, and not collected by its parent yet
    } catch (IOException e) {
      return false;
    }
  }

  static void awaitEnd(String pid) {
    Await.until("the end of process " + pid, () -> !lives(pid));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
