package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.server.RedisServer.Capability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A clock that a test can turn")
class ClockShimTest {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private static ClockShim shim() {
    Optional<ClockShim> shim = ClockShim.available();
    assumeTrue(shim.isPresent(), () -> "not run: " + ClockShim.whyNot());
    return shim.orElseThrow();
  }

  @Test
  @DisplayName("is there, or there is a reason why not")
  void availability() {
    assertNotEquals(ClockShim.available().isPresent(), !ClockShim.whyNot().isEmpty());
  }

  @Test
  @DisplayName("moves a server's time, and its keys' expiry")
  void server() {
    ClockShim clock = shim();
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withClock(clock))) {
      assumeTrue(
          server.capabilities().contains(Capability.CLOCK),
          () -> "not run: the clock of " + server + " can't be turned");
      server.call("SET", "a", "1", "PX", "3000000");
      assertNear(Duration.ZERO, timeOf(server));
      clock.jump(Duration.ofMinutes(-5));
      assertNear(Duration.ofMinutes(-5), timeOf(server));
      assertTrue((Long) server.call("PTTL", "a").orElseThrow() > 3_200_000);
      clock.jump(Duration.ofMinutes(60));
      // Some servers look at the clock a few times a second only.
      Poll.until("expired", CLOSE, () -> server.call("GET", "a").isEmpty());
      assertEquals(Duration.ofMinutes(55), clock.offset());
    }
  }

  private static long timeOf(RedisServer server) {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong((String) time.get(0)) * 1000;
  }

  private static void assertNear(Duration offset, long millis) {
    long wrong = Math.abs(System.currentTimeMillis() + offset.toMillis() - millis);
    assertTrue(wrong < CLOSE.toMillis(), "wrong by " + wrong + " ms");
  }

  @Test
  @DisplayName("moves a JVM's wall clock, and not its monotonic one")
  void jvm() throws IOException, InterruptedException {
    ClockShim clock = shim();
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Clocks.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(clock.environment());
    Process process = builder.start();
    try (BufferedReader out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
      assertNear(Duration.ZERO, Long.parseLong(out.readLine()));
      long monotonic = Long.parseLong(out.readLine());
      clock.jump(Duration.ofHours(1));
      in.write("\n");
      in.flush();
      assertNear(Duration.ofHours(1), Long.parseLong(out.readLine()));
      long passed = Long.parseLong(out.readLine()) - monotonic;
      assertTrue(passed < Duration.ofMinutes(1).toNanos(), "passed: " + passed);
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Prints both clocks, and again after each line that it reads, once. */
  static final class Clocks {
    public static void main(String[] args) throws IOException {
      print();
      System.in.read();
      print();
    }

    private static void print() {
      System.out.println(System.currentTimeMillis());
      System.out.println(System.nanoTime());
    }
  }
}
