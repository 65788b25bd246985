package dev.leasehold.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps all cores awake, by a process for each that spins at the lowest priority. The cores of an
 * idle machine enter sleep states, and waking them can take longer than the server takes to reply.
 * At that priority, the scheduler stops a spinner as soon as another process can use its core.
 */
final class SpinningCores implements AutoCloseable {
  /** Spins while the process exists whose id is its argument, and looks that up now and then. */
  private static final String SPIN =
      "while kill -0 \"$0\"; do i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; done";

  private final List<Process> spinners = new ArrayList<>();

  private SpinningCores() {}

  static SpinningCores start() throws IOException {
    return start(Runtime.getRuntime().availableProcessors(), ProcessHandle.current().pid());
  }

  /** That many spinners, which end by themselves after the process of this id has ended. */
  static SpinningCores start(int count, long parent) throws IOException {
    SpinningCores cores = new SpinningCores();
    try {
      for (int i = 0; i < count; i++) {
        cores.spinners.add(
            new ProcessBuilder("nice", "-n", "19", "sh", "-c", SPIN, Long.toString(parent))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
      }
      return cores;
    } catch (IOException e) {
      cores.end();
      throw e;
    }
  }

  /** A process for each core. */
  List<Process> spinners() {
    return List.copyOf(spinners);
  }

  /**
   * Ends them.
   *
   * @throws IllegalStateException if one has ended before: what was measured beside them is void
   */
  @Override
  public void close() {
    boolean spinning = spinners.stream().allMatch(Process::isAlive);
    end();
    spinners.forEach(spinner -> spinner.onExit().join());
    if (!spinning) {
      throw new IllegalStateException("a process that was to keep a core awake ended too early");
    }
  }

  private void end() {
    spinners.forEach(Process::destroyForcibly);
  }
}
