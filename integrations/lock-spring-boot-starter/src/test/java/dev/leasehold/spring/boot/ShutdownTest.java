package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@DisplayName("When the JVM is told to end")
class ShutdownTest {
  @TempDir Path folder;

  /** An application with a method and a lease that outlast its shutdown. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws InterruptedException {
      ConfigurableApplicationContext context = start(arguments, Endless.class);
      context.getBean(LockManager.class).lock("held").acquire();
      context.getBean(Endless.class).run();
    }
  }

  /** An application without methods, whose log the JDK closes between its two managers. */
  static final class Idle {
    private static final CountDownLatch CLOSING = new CountDownLatch(1);

    private Idle() {}

    public static void main(String[] arguments) throws InterruptedException {
      ConfigurableApplicationContext context = start(arguments, Idle.class);
      Logger root = Logger.getLogger("");
      List<Handler> handlers = List.of(root.getHandlers());
      handlers.forEach(root::removeHandler);
      root.addHandler(new ClosedLate()); // the first, so the others are closed after it
      handlers.forEach(root::addHandler);
      context.getBean("second", LockManager.class).lock("held").acquire();
      System.out.println("runs");
      Thread.sleep(Long.MAX_VALUE);
    }

    @Bean
    static LockManager first() {
      return (LockManager)
          Proxy.newProxyInstance(
              Idle.class.getClassLoader(),
              new Class<?>[] {LockManager.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                  CLOSING.countDown();
                  Await.until(
                      "the JDK has closed its log",
                      () -> Logger.getLogger("").getHandlers().length == 0);
                }
                return null;
              });
    }

    @Bean
    static LockManager second(@Value("${spring.data.redis.port}") int port) {
      return ManagersTest.open(port);
    }

    private static final class ClosedLate extends Handler {
      @Override
      public void close() {
        try {
          CLOSING.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }

      @Override
      public void publish(LogRecord logged) {}

      @Override
      public void flush() {}
    }
  }

  private static ConfigurableApplicationContext start(String[] arguments, Class<?> beans) {
    return new SpringApplicationBuilder(Apps.Application.class, beans)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .run(arguments);
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
    assertSaid(
        output(Server.class),
        "@Locked methods still run after 500ms: their locks are closed",
        "lease of lock 'held'",
        "lease of lock 'endless'");
  }

  @Test
  @DisplayName("it does even if the JDK closes its log only while locks are closed")
  void closedLate() throws Exception {
    assertSaid(output(Idle.class), "lease of lock 'held'");
  }

  private static void assertSaid(String said, String... lines) {
    for (String line : lines) {
      assertEquals(2, said.split(Pattern.quote(line), -1).length, line + " once in\n" + said);
    }
  }

  /** The output of an application that is told to end once it runs. */
  private String output(Class<?> program) throws Exception {
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
                  program.getName(),
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
      return Files.readString(log);
    }
  }

  @Test
  @DisplayName("a context that closes in a JVM that goes on leaves the JDK's log as it is")
  void jvmGoesOn() {
    Logger root = Logger.getLogger("");
    Logger locks = Logger.getLogger("dev.leasehold");
    List<Handler> before = List.of(locks.getHandlers());
    List<Handler> removed;
    try (RedisServer server = RedisServers.start()) {
      try (ConfigurableApplicationContext context = Apps.start(server, List.of())) {
        assertTrue(context.isRunning());
        removed = List.of(root.getHandlers());
        removed.forEach(root::removeHandler); // by the application, on purpose
      }
    }
    try {
      assertEquals(List.of(), List.of(root.getHandlers()));
      assertEquals(before, List.of(locks.getHandlers()));
    } finally {
      removed.forEach(root::addHandler);
    }
  }
}
