package dev.leasehold.testkit.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.MapBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A worker JVM")
class WorkerPoolTest {
  private static final String RECIPE = new MapBackend().recipe();
  private static final LockOptions OPTIONS = LockOptions.fixed(Duration.ofSeconds(30));

  @Test
  @DisplayName("serves the next suite, and has nothing of the last one's; a killed one serves none")
  void usedAgain() {
    long first;
    try (WorkerPool pool = new WorkerPool()) {
      Worker worker = pool.lease(RECIPE, "here");
      first = worker.pid();
      worker.acquire("a", OPTIONS);
    }
    try (WorkerPool pool = new WorkerPool();
        WorkerPool beside = new WorkerPool()) {
      Worker worker = pool.lease(RECIPE, "there");
      assertEquals(first, worker.pid());
      WorkerLease gone = new WorkerLease(worker.lane("main"), "1", "");
      assertThrows(WorkerFailure.class, gone::isValid);
      assertNotEquals(first, beside.lease(RECIPE, "there").pid(), "one serves two at a time");
      worker.kill();
    }
    try (WorkerPool pool = new WorkerPool()) {
      assertNotEquals(first, pool.lease(RECIPE, "here").pid());
    }
  }

  @Test
  @DisplayName("has the temporary folder of the JVM that started it")
  void temporaryFolder() {
    try (WorkerPool pool = new WorkerPool()) {
      long pid = pool.lease(RECIPE, "here").pid();
      Optional<String[]> arguments = ProcessHandle.of(pid).orElseThrow().info().arguments();
      assumeTrue(arguments.isPresent(), "not run: this system does not show a process's arguments");
      assertTrue(
          List.of(arguments.get())
              .contains("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
    }
  }
}
