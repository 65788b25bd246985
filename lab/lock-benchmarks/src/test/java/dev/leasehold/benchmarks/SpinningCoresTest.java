package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cores are kept awake until they need not be")
class SpinningCoresTest {
  private static final Duration SOME = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Its place after the name of the command: see proc(5). */
  private static final int NICE = 16;

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
        Await.until("it has used " + SOME, PATIENCE, () -> used(spinner).compareTo(SOME) >= 0);
        assertEquals("19", priority(spinner));
      }
    }
    spinners.forEach(spinner -> assertFalse(spinner.isAlive()));
  }

  private static String priority(Process process) throws Exception {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return afterName[NICE];
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
