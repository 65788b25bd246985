package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Surefire hides missing modules, because it puts everything else on the class path. Here each
 * backend's jar is started for real with its dependencies and nothing else.
 */
@DisplayName("The packaged jars take a lock, on the module path and on the class path")
class SmokeIT {
  private static final String MODULE =
      """
      module leasehold.smoke {
        requires dev.leasehold.lock;
      }
      """;

  private static final String MAIN =
      """
      package leasehold.smoke;

      import dev.leasehold.lock.Lease;
      import dev.leasehold.lock.LockManager;
      import dev.leasehold.lock.LockSettings;
      import java.time.Duration;
      import java.util.HashMap;
      import java.util.Map;

      public final class Main {
        public static void main(String[] args) throws Exception {
          Map<String, String> settings = new HashMap<>();
          for (int i = 0; i < args.length; i += 2) {
            settings.put(args[i], args[i + 1]);
          }
          System.out.println("named: " + LockManager.class.getModule().isNamed());
          try (LockManager locks = LockManager.open(LockSettings.of(settings))) {
            try (Lease lease = locks.lock("smoke").acquire()) {
              System.out.println("held: " + lease.isValid());
              System.out.println("holder seen: " + locks.lock("smoke").inspect().isPresent());
            }
            System.out.println("free: " + locks.lock("smoke").inspect().isEmpty());
            try (Lease lease = locks.lock("smoke").tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
              System.out.println("again: " + lease.isValid());
            }
          }
        }
      }
      """;

  @TempDir static Path folder;
  private static SmokeApp app;

  @BeforeAll
  static void compile() throws Exception {
    app = SmokeApp.compiledIn(folder, MODULE, MAIN, List.of(Jars.jar("lock-api")));
  }

  static Stream<Arguments> backends() {
    return Jars.backends().stream()
        .flatMap(m -> Stream.of(SmokeApp.Launch.values()).map(l -> Arguments.of(m, l)));
  }

  @ParameterizedTest(name = "{0} on the {1}")
  @MethodSource("backends")
  @DisplayName("Swapping the backend is swapping the jar")
  void takesALock(String module, SmokeApp.Launch launch) throws Exception {
    try (ServerGroup servers = NewNodes.three()) {
      // The same settings for all, like a configuration file that stays unchanged.
      List<String> settings =
          List.of(
              "lock.redis.uri",
              servers.servers().get(0).uri(),
              "lock.redlock.nodes",
              servers.uri());
      SmokeApp.Outcome outcome = app.run(launch, Jars.runtimePath(module), settings);
      assertEquals(
          """
          named: %s
          held: true
          holder seen: true
          free: true
          again: true
          """
              .formatted(launch == SmokeApp.Launch.MODULE_PATH),
          outcome.output(),
          outcome::errors);
      assertEquals(0, outcome.status(), outcome::errors);
    }
  }

  @ParameterizedTest(name = "{0} on the {1}, with {2}")
  @CsvSource({
    "lock-redis-set, CLASS_PATH, 'java.base,java.logging'",
    "lock-redis-set, MODULE_PATH, 'java.base,java.logging,java.naming,jdk.unsupported'",
    "lock-redis-setnx, CLASS_PATH, java.base",
    "lock-redis-setnx, MODULE_PATH, " + "'java.base,java.management'"
  })
  @DisplayName("An image of jlink needs no more than the page of the modules says")
  void image(String module, SmokeApp.Launch launch, String jdk) throws Exception {
    Path image = folder.resolve(module + launch);
    assertEquals("", JlinkIT.link(image, List.of(Jars.jar("lock-api")), jdk));
    try (RedisServer server = RedisServers.start()) {
      SmokeApp.Outcome outcome =
          app.run(image, launch, Jars.runtimePath(module), List.of("lock.redis.uri", server.uri()));
      assertTrue(outcome.output().contains("held: true"), outcome::errors);
      assertEquals(0, outcome.status(), outcome::errors);
    }
  }

  @ParameterizedTest(name = "on the {0}")
  @EnumSource
  @DisplayName("The test stand-in is used where it is named, also beside a backend")
  void standIn(SmokeApp.Launch launch) throws Exception {
    List<Path> path = Jars.runtimePath("lock-redis-set", "lock-memory");
    List<String> real = List.of("lock.redis.uri", "redis://127.0.0.1:1");
    List<String> named = Stream.concat(real.stream(), Stream.of("lock.backend", "memory")).toList();
    assertEquals(0, app.run(launch, path, named).status());
    SmokeApp.Outcome outcome = app.run(launch, path, real);
    assertTrue(outcome.errors().contains("LockStoreException"), outcome::errors);
  }

  @ParameterizedTest(name = "on the {0}")
  @EnumSource
  @DisplayName("Without a backend the error says which jars to add")
  void noBackend(SmokeApp.Launch launch) throws Exception {
    SmokeApp.Outcome outcome = app.run(launch, Jars.runtimePath("lock-api"), List.of());
    assertNotEquals(0, outcome.status(), outcome::errors);
    assertTrue(outcome.errors().contains("LockConfigurationException"), outcome::errors);
    assertTrue(outcome.errors().contains("lock-redis-set"), outcome::errors);
  }
}
