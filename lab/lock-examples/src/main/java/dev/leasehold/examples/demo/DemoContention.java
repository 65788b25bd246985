package dev.leasehold.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** One run of the demo: processes that increment the same counter. */
public final class DemoContention {
  private static final int PROCESSES = 4;
  private static final Duration PROGRESS = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** With the lock or without. */
  public enum Mode {
    /** Each increment under the lock; one process is killed while it holds it. */
    LOCKED,
    /** No lock. */
    UNLOCKED
  }

  /**
   * The result.
   *
   * @param counter the counter's final value
   * @param steps the number of increments by all processes
   * @param took the duration
   */
  public record Result(long counter, long steps, Duration took) {

    /** Increments missing in the counter. */
    public long lost() {
      return steps - counter;
    }

    /** The result as a sentence. */
    public String verdict() {
      return String.format(
          "%d steps were made, the counter says %d: %s (%.1f s)",
          steps,
          counter,
          lost() == 0 ? "none is lost." : lost() + " updates are lost.",
          took.toMillis() / 1000.0);
    }
  }

  private final PrintStream out;
  private final Path folder;
  private final Mode mode;
  private final List<Process> processes = new ArrayList<>();
  private final CountDownLatch ready = new CountDownLatch(PROCESSES);
  private final AtomicBoolean someoneDied = new AtomicBoolean();

  private DemoContention(Path folder, Mode mode, PrintStream out) {
    this.folder = folder;
    this.mode = mode;
    this.out = out;
  }

  /** Runs the processes on a server, reporting their progress to {@code out}. */
  public static Result run(String uri, Mode mode, PrintStream out) throws Exception {
    Path folder = Files.createTempDirectory("leasehold-demo");
    DemoContention contention = new DemoContention(folder, mode, out);
    try {
      return contention.run(uri);
    } finally {
      contention.processes.forEach(Process::destroyForcibly);
      delete(folder);
    }
  }

  private Result run(String uri) throws Exception {
    List<CompletableFuture<Void>> talks = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      Process process = start(uri, i);
      processes.add(process);
      talks.add(CompletableFuture.runAsync(() -> listen(process), DemoContention::onItsOwnThread));
    }
    if (!ready.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the processes did not start within " + LONGEST);
    }
    long began = System.nanoTime();
    for (Process process : processes) {
      goOn(process);
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(talks.toArray(CompletableFuture[]::new));
    try (Counter counter = new Counter(folder.resolve("counter"))) {
      watch(all, counter, began);
      return new Result(counter.read(), steps(), Duration.ofNanos(System.nanoTime() - began));
    }
  }

  private void watch(CompletableFuture<Void> all, Counter counter, long began) throws Exception {
    long shown = 0;
    long moved = began;
    boolean stalled = false;
    boolean wentOn = false;
    while (!all.isDone()) {
      if (System.nanoTime() - moved > LONGEST.toNanos()) { // a busy machine may take long
        throw new IllegalStateException("the counter stands still since " + LONGEST);
      }
      all.copy().completeOnTimeout(null, PROGRESS.toMillis(), TimeUnit.MILLISECONDS).join();
      long now = counter.read();
      double seconds = (System.nanoTime() - began) / (double) NANOS_PER_SECOND;
      boolean stalls = now == shown && someoneDied.get() && !wentOn;
      wentOn |= now != shown && stalled;
      stalled |= stalls;
      String note = stalls ? "  ... waiting for the lease to end" : "";
      out.printf("   %4.1f s  counter %5d%s%n", seconds, now, note);
      moved = now == shown ? moved : System.nanoTime();
      shown = now;
    }
  }

  private Process start(String uri, int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DemoWorker.class.getName(),
            uri,
            mode.name(),
            folder.resolve("counter").toString(),
            folder.resolve("own-" + number).toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Reading blocks, and the common pool has only one thread on a small machine. */
  private static void onItsOwnThread(Runnable task) {
    Thread thread = new Thread(task, "listens to a process");
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(Process process) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals(DemoWorker.READY)) {
          ready.countDown();
        } else if (line.startsWith(DemoWorker.HOLDING)) {
          holding(process, line);
        }
      }
    } catch (IOException e) {
      if (!someoneDied.get()) {
        throw new UncheckedIOException(e);
      } // otherwise it is the killed process, or is about to exit
    }
  }

  private void holding(Process process, String line) throws IOException {
    if (someoneDied.compareAndSet(false, true)) {
      process.destroyForcibly();
      String token = line.substring(DemoWorker.HOLDING.length() + 1);
      out.println(
          "          process " + process.pid() + " is killed: it held fencing token " + token);
    } else {
      goOn(process);
    }
  }

  private static void goOn(Process process) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write('\n');
    in.flush();
  }

  private long steps() throws IOException {
    long steps = 0;
    for (int i = 0; i < PROCESSES; i++) {
      try (Counter own = new Counter(folder.resolve("own-" + i))) {
        steps += own.read();
      }
    }
    return steps;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
