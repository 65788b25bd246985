package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command whose lock is lost")
class LossTest extends OnServer {
  private static final String STUBBORN =
      "trap 'echo TERM' TERM; sleep 1000 & echo $$; while :; do sleep 0.02; done";

  @Test
  @DisplayName("It is killed with all its processes once another has the lock, or none")
  void taken() throws Exception {
    // The loss must be heard of long before the deadline, or it is reported as a late renewal.
    try (Launched taken = leasehold("run", name, "--lease", "4s", "--", "sh", "-c", STUBBORN);
        Launched gone = leasehold("run", name + "b", "--lease", "4s", "--", "sh", "-c", STUBBORN)) {
      String one = taken.lines(1).get(0);
      String other = gone.lines(1).get(0);
      takeAway();
      redis("DEL", "lh:{" + name + "b}");
      assertEquals(ExitCode.LOST, taken.exitCode());
      assertEquals(ExitCode.LOST, gone.exitCode());
      Launched.awaitEnd(one);
      Launched.awaitEnd(other);
      assertTrue(taken.stderr().contains("the lease of '" + name + "' was lost: "), taken.stderr());
    }
  }

  @Test
  @DisplayName("While renewals fail it gets SIGTERM before the deadline, and is killed before it")
  void unreachable() throws Exception {
    Duration lease = Duration.ofSeconds(4);
    try (Launched run =
        leasehold("run", name, "--lease", "4s", "--grace", "1s", "--", "sh", "-c", STUBBORN)) {
      String inner = run.lines(1).get(0);
      // Leaves time to see its end: what is compared with the lease begins later.
      Await.until("half of a turn is over", () -> pttl() < 3_300);
      server.pause();
      long paused = System.nanoTime();
      try {
        List<String> lines = run.lines(2);
        assertEquals("TERM", lines.get(1));
        Launched.awaitEnd(inner);
        Duration took = Duration.ofNanos(System.nanoTime() - paused);
        assertTrue(took.compareTo(lease) < 0, () -> "killed " + took + " after the last renewal");
      } finally {
        server.resume();
      }
      assertEquals(ExitCode.LOST, run.exitCode());
      assertTrue(run.stderr().contains("was not renewed in time"), run.stderr());
    }
  }

  private long pttl() {
    return (Long) redis("PTTL", "lh:{" + name + "}").orElseThrow();
  }

  @Test
  @DisplayName("A loss that shows at the release alone is not passed over")
  void atRelease() throws Exception {
    try (Launched run =
        leasehold("run", name, "--", "sh", "-c", "echo in; read x < \"$0\"", fifo())) {
      run.lines(1);
      takeAway();
      openFifo();
      assertEquals(ExitCode.LOST, run.exitCode());
      assertTrue(run.stderr().contains("; the command ended with 1"), run.stderr());
    }
  }

  private final String fifo = System.getProperty("java.io.tmpdir") + "/fifo-" + name;

  private String fifo() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", fifo).start().waitFor());
    return fifo;
  }

  private void openFifo() throws Exception {
    assertEquals(0, new ProcessBuilder("sh", "-c", ": > \"$0\"", fifo).start().waitFor());
    Await.until("deleted", () -> new java.io.File(fifo).delete());
  }
}
