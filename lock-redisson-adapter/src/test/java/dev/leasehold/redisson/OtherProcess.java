package dev.leasehold.redisson;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TestThreads;
import dev.leasehold.testkit.server.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link PlainRedisson} in a JVM of its own. */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final PrintStream commands;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, CompletableFuture<String>> asked = new ConcurrentHashMap<>();

  /** Starts one, and waits until it is connected. */
  static OtherProcess start(String uri, Duration watchdogTimeout) {
    try {
      OtherProcess made = new OtherProcess(uri, watchdogTimeout);
      CompletableFuture<String> ready = made.asked.computeIfAbsent("0", n -> fresh());
      // A JVM that starts beside many others may need longer than an answer.
      Await.until("it is connected", Duration.ofMinutes(2), ready::isDone);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CompletableFuture<String> fresh() {
    return new CompletableFuture<>();
  }

  private OtherProcess(String uri, Duration watchdogTimeout) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                PlainRedisson.class.getName(),
                uri,
                Long.toString(watchdogTimeout.toMillis()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    TestThreads.onThread(this::listen);
  }

  /** Both paths of this JVM: the other one has everything on its class path. */
  private static String classPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(key -> System.getProperty(key, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private boolean listen() throws IOException {
    BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      String[] parts = line.split(" ", 2);
      asked.computeIfAbsent(parts[0], n -> fresh()).complete(parts[1]);
    }
    asked.values().forEach(each -> each.complete("!it has ended"));
    return true;
  }

  /** Has a lane do something, as {@link PlainRedisson} describes. */
  CompletableFuture<String> ask(String lane, String object, String name, String operation) {
    String number = Long.toString(numbers.incrementAndGet());
    CompletableFuture<String> answer = asked.computeIfAbsent(number, n -> fresh());
    commands.println(String.join(" ", number, lane, object, name, operation));
    return answer;
  }

  /** The same, and waits for its answer. */
  String does(String lane, String object, String name, String operation) {
    String answer = Await.value(ask(lane, object, name, operation));
    if (answer.startsWith("!")) {
      throw new AssertionError(object + " " + name + " " + operation + ": " + answer);
    }
    return answer;
  }

  /** Stops it where it is. */
  void pause() {
    Signals.pause(process.pid());
  }

  /** Lets it go on. */
  void resume() {
    Signals.resume(process.pid());
  }

  /** Ends it as `kill -9` does. */
  void kill() {
    process.destroyForcibly();
    Await.until("it is gone", () -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
    commands.close();
  }
}
