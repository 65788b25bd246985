package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

@DisplayName("When the JVM is told to end")
class ShutdownTest {
  @TempDir Path folder;

  /** An application with a method and a lease that outlast its shutdown. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws InterruptedException {
      ConfigurableApplicationContext context =
          new SpringApplicationBuilder(Apps.Application.class, Endless.class)
              .web(WebApplicationType.NONE)
              .bannerMode(Banner.Mode.OFF)
              .run(arguments);
      context.getBean(LockManager.class).lock("held").acquire();
      context.getBean(Endless.class).run();
    }
  }

  /** Does not end by itself. */
  static class Endless {
    @Locked(name = "endless")
    public void run() throws InterruptedException {
      System.out.println("runs");
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  @Test
  @DisplayName("the log says which locks are closed though they are in use")
  void log() throws Exception {
    Path log = folder.resolve("log");
    try (RedisServer server = RedisServers.start()) {
      Process application =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Server.class.getName(),
                  "--spring.data.redis.port=" + server.port(),
                  "--spring.lifecycle.timeout-per-shutdown-phase=3500ms",
                  "--leasehold.close-grace=2s")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        Await.until(
            "it runs, or has failed",
            Duration.ofMinutes(2), // all of Boot, on a busy machine
            () -> Files.readString(log).contains("runs\n") || !application.isAlive());
        application.destroy(); // SIGTERM
        assertTrue(application.waitFor(60, TimeUnit.SECONDS));
      } finally {
        application.destroyForcibly();
      }
      String said = Files.readString(log);
      for (String line :
          List.of(
              "@Locked methods still run after 500ms: their locks are closed",
              "lease of lock 'held'",
              "lease of lock 'endless'")) {
        assertTrue(said.contains(line), said);
      }
    }
  }
}
