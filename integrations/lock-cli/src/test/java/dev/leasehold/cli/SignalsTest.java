package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Signals to the launcher")
class SignalsTest extends OnServer {

  @Test
  @DisplayName("While it waits it leaves the line and ends at once, and nothing runs")
  void waiting(@TempDir Path folder) throws Exception {
    takeAway();
    Path made = folder.resolve("made");
    try (Launched run = leasehold("run", name, "--", "touch", made.toString());
        Launched other = leasehold("run", name, "--", "touch", made.toString())) {
      awaitWaiters(2);
      run.signal("TERM");
      assertEquals(143, run.exitCode());
      awaitWaiters(1);
      other.signal("INT");
      assertEquals(130, other.exitCode());
      assertEquals("", run.stderr() + other.stderr());
      awaitWaiters(0);
    }
    redis("DEL", key());
    assertFalse(Files.exists(made));
  }

  @Test
  @DisplayName("While the command runs they are passed on to its whole group")
  void running() throws Exception {
    String each = "trap 'echo HUP' HUP; trap 'echo INT' INT; trap 'echo USR1' USR1;";
    String loop = "while :; do sleep 0.02; done";
    String script =
        each
            + "sh -c \"trap '' HUP INT USR1; trap 'echo inner; exit' TERM; echo ready; "
            + loop
            + "\" & trap 'wait; exit 9' TERM; echo ready; "
            + loop;
    try (Launched run = leasehold("run", name, "--", "sh", "-c", script)) {
      run.lines(2);
      int lines = 2;
      for (String signal : List.of("HUP", "INT", "USR1")) {
        run.signal(signal);
        assertTrue(run.lines(++lines).contains(signal), run.stdout());
      }
      run.signal("TERM");
      assertEquals(9, run.exitCode(), run.stderr());
      assertTrue(run.stdout().contains("inner"), run.stdout());
    }
  }

  @Test
  @DisplayName("A launcher that is killed leaves no orphan, not even one that ignores SIGTERM")
  void killed() throws Exception {
    String meek = "sleep 1000 & echo $!; echo $$; wait";
    String stubborn = "trap '' TERM HUP; sh -c 'echo $$; while :; do sleep 0.1; done' & wait";
    try (Launched run = leasehold("run", name, "--", "sh", "-c", meek);
        Launched other =
            leasehold("run", name + "b", "--grace", "200ms", "--", "sh", "-c", stubborn)) {
      List<String> meekOnes = run.lines(2);
      List<String> stubbornOnes = other.lines(1);
      meekOnes.forEach(pid -> assertTrue(Launched.lives(pid), pid));
      run.process().destroyForcibly();
      other.process().destroyForcibly();
      meekOnes.forEach(Launched::awaitEnd);
      stubbornOnes.forEach(Launched::awaitEnd);
    }
  }
}
