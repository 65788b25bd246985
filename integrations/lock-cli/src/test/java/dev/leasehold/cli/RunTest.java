package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A command under a lock")
class RunTest extends OnServer {

  @Test
  @DisplayName("It has the streams, the token, the name and the deadline, and its exit code counts")
  void environmentAndStreams() throws Exception {
    String script =
        "cat; echo \"$LEASEHOLD_NAME|$LEASEHOLD_TOKEN|$LEASEHOLD_DEADLINE\"; echo oops >&2; exit 3";
    Map<String, String> environment =
        Map.of("LEASEHOLD_REDIS_URI", server.uri(), "LEASEHOLD_TOKEN", "7", "LEASEHOLD_NAME", "x");
    long before = System.currentTimeMillis() / 1000;
    try (Launched run = Launched.fed(environment, "in\n", "run", name, "--", "sh", "-c", script)) {
      assertEquals(3, run.exitCode(), run.stderr());
      assertEquals("oops\n", run.stderr());
      List<String> lines = run.lines(2);
      assertEquals("in", lines.get(0));
      String[] said = lines.get(1).split("\\|", -1);
      assertEquals(name, said[0]);
      assertEquals(redis("GET", key() + ":fence").orElseThrow().toString(), said[1]);
      long lease = Long.parseLong(said[2]) - before;
      assertTrue(lease >= 28 && lease <= 45, () -> "a deadline in " + lease + " s");
    }
    assertTrue(redis("GET", key()).isEmpty(), "free again");
  }

  @Test
  @DisplayName("A lock that others hold ends it with 75, or with the code of -E, and runs nothing")
  void contended(@TempDir Path folder) throws Exception {
    takeAway();
    String made = folder.resolve("made").toString();
    try (Launched atOnce = leasehold("run", name, "-n", "-v", "--", "touch", made);
        Launched coded = leasehold("run", name, "-n", "-E", "9", "--", "touch", made);
        Launched waited = leasehold("run", name, "--wait", "2s", "--", "touch", made)) {
      assertEquals(ExitCode.CONTENDED, atOnce.exitCode());
      assertEquals("leasehold: lock '" + name + "' is held by others\n", atOnce.stderr());
      assertEquals(9, coded.exitCode());
      assertEquals(ExitCode.CONTENDED, waited.exitCode());
      assertEquals("", coded.stderr() + waited.stderr(), "cron would send mail");
    }
    assertFalse(Files.exists(Path.of(made)));
  }

  @Test
  @DisplayName("A command that is missing, is killed or can't reach a store has its own exit code")
  void codes() throws Exception {
    try (Launched missing = leasehold("run", name, "--", "no-such-command");
        Launched killed = leasehold("run", name, "--", "sh", "-c", "kill -9 $$");
        Launched noStore = leasehold("run", name, "--redis", "redis://127.0.0.1:1", "--", "true")) {
      assertEquals(127, missing.exitCode());
      assertEquals("leasehold: the command 'no-such-command' was not found\n", missing.stderr());
      assertEquals(137, killed.exitCode());
      assertEquals(ExitCode.STORE, noStore.exitCode());
      assertTrue(noStore.stderr().contains("UNREACHABLE"), noStore.stderr());
    }
  }

  @Test
  @DisplayName("Names and arguments reach the command as they are")
  void hostile() throws Exception {
    String hostile = name + "\n$(reboot)'\"; rm {x} %s \\ \u202e \u00e9 \ud83d\ude00";
    String script = "printf '%s|' \"$LEASEHOLD_NAME\" \"$@\"";
    String argument = "a b\n'\"$(reboot) * \u00e9";
    try (Launched run = leasehold("run", hostile, "--", "sh", "-c", script, "sh", argument, "")) {
      assertEquals(0, run.exitCode(), run.stderr());
      assertEquals(hostile + "|" + argument + "||", run.stdout());
    }
  }

  @Test
  @DisplayName("Two of three have a permit; a writer keeps readers out, and a reader none")
  void kinds() throws Exception {
    List<Launched> all = new ArrayList<>();
    try {
      Launched one =
          held(all, "run", name, "--permits", "2", "--", "sh", "-c", "echo in; sleep 60");
      held(all, "run", name, "--permits", "2", "--", "sh", "-c", "echo in; sleep 60");
      held(all, "run", name, "--read", "--", "sh", "-c", "echo in; sleep 60");
      try (Launched third = leasehold("run", name, "--permits", "2", "-n", "--", "true");
          Launched reader = leasehold("run", name, "--read", "-n", "--", "true");
          Launched writer = leasehold("run", name, "--write", "-n", "--", "true")) {
        assertEquals(ExitCode.CONTENDED, third.exitCode());
        assertEquals(0, reader.exitCode(), reader.stderr());
        assertEquals(ExitCode.CONTENDED, writer.exitCode());
      }
      one.signal("TERM");
      assertEquals(143, one.exitCode());
    } finally {
      for (Launched each : all) {
        each.signal("TERM");
        each.exitCode();
      }
    }
  }

  private static Launched held(List<Launched> all, String... arguments) {
    Launched started = leasehold(arguments);
    all.add(started);
    started.lines(1);
    return started;
  }

  @Test
  @DisplayName("Where there is a terminal, the command has its foreground, and gives it back")
  void terminal() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")));
    String inside =
        "ps -o pgid=,tpgid= -p \\$\\$ | tr -s ' ' '\\n' | grep . | uniq | wc -l; exit 5";
    List<String> quoted = new ArrayList<>();
    Launched.java().forEach(word -> quoted.add("'" + word + "'"));
    quoted.addAll(List.of("run", name, "--", "sh", "-c", "\"" + inside + "\""));
    String line = String.join(" ", quoted) + "; echo $?; ps -o pgid=,tpgid= -p $$";
    try (Launched run =
        Launched.of(environment(), "", List.of("script", "-qec", line, "/dev/null"))) {
      assertEquals(0, run.exitCode(), run.stdout());
      List<String> lines = run.stdout().lines().map(String::strip).toList();
      assertEquals(List.of("1", "5"), lines.subList(0, 2), run.stdout());
    }
  }
}
