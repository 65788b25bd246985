package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.server.RedisServer.Capability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Servers that were never closed")
class ResourceReaperTest {
  @TempDir Path temp;

  @BeforeEach
  void processes() {
    assumeTrue(
        RedisServers.capabilities().contains(Capability.TOPOLOGY),
        () -> "not run: a server of kind " + RedisServers.kind() + " is no process of ours");
  }

  @Test
  @DisplayName("end with their JVM, and so do their files")
  void exit() throws Exception {
    try (Forgetful jvm = new Forgetful(temp)) {
      long pid = jvm.serverPid();
      assertTrue(ProcessHandle.of(pid).isPresent());
      jvm.end();
      assertFalse(ProcessHandle.of(pid).isPresent());
      assertEquals(List.of(), files(temp));
    }
  }

  @Test
  @DisplayName("of a JVM that was killed end when the next one starts a server")
  void killed() throws Exception {
    try (Forgetful first = new Forgetful(temp);
        Forgetful bystander = new Forgetful(temp)) {
      ProcessHandle orphan = ProcessHandle.of(first.serverPid()).orElseThrow();
      long other = bystander.serverPid();
      first.kill();
      assertTrue(orphan.isAlive());
      try (Forgetful next = new Forgetful(temp)) {
        next.serverPid();
        orphan.onExit().get(10, TimeUnit.SECONDS);
        assertTrue(ProcessHandle.of(other).isPresent(), "a living JVM's server was ended");
        next.end();
      }
      bystander.end();
      assertEquals(List.of(), files(temp));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** A JVM that starts a server and never closes it. */
  private static final class Forgetful implements AutoCloseable {
    private final Process process;

    Forgetful(Path temp) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  // A JVM that is killed leaves this file behind, which is not ours.
                  "-XX:-UsePerfData",
                  "-Djava.io.tmpdir=" + temp,
                  "-D" + RedisServers.PROPERTY + "=" + RedisServers.kind(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    }

    long serverPid() throws IOException {
      return Long.parseLong(
          new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
              .readLine());
    }

    void end() throws IOException, InterruptedException {
      process.getOutputStream().close();
      assertEquals(0, process.waitFor());
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  /** Starts a server, prints its process, and ends when its input does. */
  static final class Main {
    public static void main(String[] args) throws IOException {
      RedisServer server = RedisServers.start();
      System.out.println(server.pid().orElseThrow());
      System.in.read();
    }
  }
}
