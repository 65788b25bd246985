package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The start of the command")
class StartTest extends OnServer {

  @Test
  @DisplayName("reads no other subcommand, and loads no flight recorder unless it was started")
  void classes() throws Exception {
    List<String> words = new ArrayList<>(Launched.java());
    words.add(1, "-Xlog:class+load:stdout");
    words.addAll(List.of("run", name, "--", "true"));
    try (Launched run = Launched.of(environment(), "", words)) {
      assertEquals(0, run.exitCode(), run.stderr());
      List<String> loaded = run.stdout().lines().toList();
      assertTrue(has(loaded, "dev.leasehold.cli.RunCommand"));
      for (String other :
          List.of(
              "dev.leasehold.cli.CompletionCommand$Shell",
              "dev.leasehold.lock.internal.flight.AcquisitionEvent",
              "io.lettuce.core.RedisClient")) {
        assertTrue(!has(loaded, other), other);
      }
    }
  }

  private static boolean has(List<String> loaded, String name) {
    return loaded.stream().anyMatch(line -> line.contains(" " + name + " "));
  }
}
