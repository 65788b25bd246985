package dev.leasehold.testkit.worker;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.server.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A worker JVM with a manager of its own. Thread-safe. */
public final class Worker implements AutoCloseable {
  private static final String MAIN = "main";
  private static final int LINES_KEPT = 40;
  private static final Duration START_PATIENCE = TimeScale.seconds(40);

  private final Process process;
  private final PrintStream commands;
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<String, CompletableFuture<List<String>>> pending = new ConcurrentHashMap<>();
  private final ConcurrentLinkedDeque<String> lastWords = new ConcurrentLinkedDeque<>();
  private volatile State state = State.RUNNING;

  private enum State {
    RUNNING,
    PAUSED,
    KILLED
  }

  private Worker(Process process) {
    this.process = process;
    this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  static Worker start(Map<String, String> environment) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx96m",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            classPath(),
            WorkerMain.class.getName());
    builder.environment().putAll(environment);
    try {
      Worker worker = new Worker(builder.start());
      worker.reads("answers", worker.process.inputReader(StandardCharsets.UTF_8), worker::answer);
      worker.reads(
          "errors", worker.process.errorReader(StandardCharsets.UTF_8), worker::keepLastWords);
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException("a worker JVM could not be started", e);
    }
  }

  /** Class path and module path of this JVM: a worker has everything on its class path. */
  private static String classPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(key -> System.getProperty(key, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void reads(String what, BufferedReader from, java.util.function.Consumer<String> each) {
    Thread reader =
        new Thread(
            () -> {
              try (from) {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                  each.accept(line);
                }
              } catch (IOException e) {
                keepLastWords(e.toString());
              }
              gone();
            },
            "worker-" + process.pid() + "-" + what);
    reader.setDaemon(true);
    reader.start();
  }

  private void answer(String line) {
    List<String> words = LineFormat.words(line);
    CompletableFuture<List<String>> reply = pending.remove(words.get(0));
    if (reply == null) {
      return;
    }
    if (words.get(1).equals("ok")) {
      reply.complete(words.subList(2, words.size()));
    } else {
      reply.completeExceptionally(new WorkerFailure(words.get(2), words.get(3)));
    }
  }

  private void keepLastWords(String line) {
    lastWords.add(line);
    while (lastWords.size() > LINES_KEPT) {
      lastWords.poll();
    }
  }

  private void gone() {
    String words = String.join("\n", lastWords);
    WorkerFailure gone =
        new WorkerFailure("Gone", "the JVM " + process.pid() + " has ended. " + words);
    pending.values().forEach(reply -> reply.completeExceptionally(gone));
  }

  CompletableFuture<List<String>> send(String lane, List<String> command) {
    String id = Integer.toString(ids.incrementAndGet());
    CompletableFuture<List<String>> reply = new CompletableFuture<>();
    pending.put(id, reply);
    List<String> words = new ArrayList<>(List.of(id, lane));
    words.addAll(command);
    writing.lock();
    try {
      commands.println(LineFormat.line(words));
    } finally {
      writing.unlock();
    }
    if (!process.isAlive()) {
      gone();
    }
    return reply;
  }

  void open(String recipe, String address) {
    CompletableFuture<List<String>> opened = send(MAIN, List.of("open", recipe, address));
    // A new JVM takes long to answer for the first time if all cores are busy.
    Await.until("the JVM " + process.pid() + " is up", START_PATIENCE, opened::isDone);
    Await.value(opened);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Closes what the last rule had open; false if the worker is no longer usable. */
  boolean reset() {
    if (state != State.RUNNING || !isAlive()) {
      return false;
    }
    try {
      Await.value(send(MAIN, List.of("reset")));
      return true;
    } catch (WorkerFailure failure) {
      return false;
    }
  }

  // ---- for rules ----

  /** The lane of that name. */
  public Lane lane(String name) {
    return new Lane(this, name);
  }

  /** A lane whose thread has this id, which must be above all ids given out so far. */
  public Lane laneWithThreadId(long id) {
    String name = "id-" + id;
    Await.value(send(name, List.of("lane-with-thread-id", Long.toString(id))));
    return lane(name);
  }

  /** Acquires on the main lane. Blocks. */
  public WorkerLease acquire(String lockName, LockOptions options) {
    return lane(MAIN).acquire(lockName, options);
  }

  /** Tries to acquire on the main lane. Blocks. */
  public Optional<WorkerLease> tryAcquire(String lockName, LockOptions options, Duration wait) {
    return lane(MAIN).tryAcquire(lockName, options, wait);
  }

  /** Suspends the process: {@code kill -STOP}. */
  public void pause() {
    state = State.PAUSED;
    Signals.pause(process.pid());
  }

  /** Resumes the process: {@code kill -CONT}. */
  public void resume() {
    Signals.resume(process.pid());
    state = State.RUNNING;
  }

  /** Kills the process: {@code kill -9}. Blocks until it is gone. */
  public void kill() {
    state = State.KILLED;
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    kill();
  }

  @Override
  public String toString() {
    return "worker " + process.pid();
  }
}
