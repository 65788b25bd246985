package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The same cron table on five hosts")
class CronTest extends OnServer {
  private static final int HOSTS = 5;

  @Test
  @DisplayName("One of them runs the job; again only when the minimum hold is over")
  void five(@TempDir Path folder) throws Exception {
    Path ran = folder.resolve("ran");
    List<Integer> codes = fire(ran, host -> name);
    assertEquals(1, Files.readAllLines(ran).size());
    assertEquals(List.of(0, 75, 75, 75, 75), codes);
    List<Integer> late = new ArrayList<>();
    try (Launched run = job(ran, name)) { // its clock is behind
      late.add(run.exitCode());
    }
    redis("PEXPIRE", key(), "1"); // the minute is over
    try (Launched run = job(ran, name)) {
      late.add(run.exitCode());
    }
    assertEquals(List.of(75, 0), late);
    assertEquals(2, Files.readAllLines(ran).size());
  }

  @Test
  @DisplayName("With a lock for each host all five run it: the test above can fail")
  void canFail(@TempDir Path folder) throws Exception {
    Path ran = folder.resolve("ran");
    assertEquals(List.of(0, 0, 0, 0, 0), fire(ran, host -> name + host));
    assertEquals(HOSTS, Files.readAllLines(ran).size());
  }

  private static List<Integer> fire(Path ran, IntFunction<String> names) throws Exception {
    List<Launched> hosts = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      hosts.add(job(ran, names.apply(host)));
    }
    List<Integer> codes = new ArrayList<>();
    for (Launched host : hosts) {
      codes.add(host.exitCode());
      assertEquals("", host.stderr());
    }
    return codes.stream().sorted().toList();
  }

  private static Launched job(Path ran, String name) {
    String script = "echo \"$LEASEHOLD_TOKEN\" >> \"$0\"";
    return leasehold(
        "run", name, "-n", "--at-least", "50s", "--", "sh", "-c", script, ran.toString());
  }
}
