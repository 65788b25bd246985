package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cores are kept awake until they need not be")
class SpinningCoresTest {
  private static final Duration SOME = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Duration used(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Test
  @DisplayName("By a process for each, which uses processor time at the lowest priority, and ends")
  void spins() throws Exception {
    List<Process> spinners;
    try (SpinningCores cores = SpinningCores.start()) {
      spinners = cores.spinners();
      assertEquals(Runtime.getRuntime().availableProcessors(), spinners.size());
      for (Process spinner : spinners) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (used(spinner).compareTo(SOME) < 0) {
          assertTrue(System.nanoTime() - end < 0, () -> "only " + used(spinner));
          Thread.onSpinWait();
        }
        assertEquals("19", priority(spinner));
      }
    }
    spinners.forEach(spinner -> assertFalse(spinner.isAlive()));
  }

  private static String priority(Process process) throws Exception {
    Process ps = new ProcessBuilder("ps", "-o", "ni=", "-p", Long.toString(process.pid())).start();
    return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
  }

  @Test
  @DisplayName("Not longer than the process lives that started them; an early end is an error")
  void orphans() throws Exception {
    Process parent = new ProcessBuilder("sh", "-c", "read line").start();
    SpinningCores cores = SpinningCores.start(1, parent.pid());
    Process spinner = cores.spinners().get(0);
    assertTrue(spinner.isAlive());
    parent.destroyForcibly().waitFor();
    assertTrue(spinner.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertThrows(IllegalStateException.class, cores::close);
  }
}
