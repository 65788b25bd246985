package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.NewNodes;
import dev.leasehold.testkit.server.ServerGroup;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guice, Typesafe Config and their dependencies as real modules. */
@DisplayName("An application with Guice takes locks, on the module path and on the class path")
class GuiceSmokeIT {
  private static final String MODULE =
      """
      module leasehold.smoke {
        requires dev.leasehold.guice;
        opens leasehold.smoke to com.google.guice;
      }
      """;

  private static final String MAIN =
      """
      package leasehold.smoke;

      import com.google.inject.Guice;
      import com.google.inject.Injector;
      import com.google.inject.Key;
      import com.google.inject.name.Names;
      import com.typesafe.config.Config;
      import com.typesafe.config.ConfigFactory;
      import dev.leasehold.guice.LeaseholdModule;
      import dev.leasehold.guice.LockManagers;
      import dev.leasehold.lock.DistributedLock;
      import dev.leasehold.lock.Lease;
      import dev.leasehold.lock.LockManager;
      import dev.leasehold.methods.CurrentLease;
      import dev.leasehold.methods.Locked;
      import jakarta.inject.Inject;
      import jakarta.inject.Named;
      import java.util.concurrent.CompletableFuture;
      import java.util.concurrent.CompletionStage;

      public final class Main {
        static class Orders {
          private final LockManager locks;
          private final DistributedLock named;

          @Inject
          Orders(LockManager locks, @Named("orders") DistributedLock named) {
            this.locks = locks;
            this.named = named;
          }

          @Locked(name = "orders:{0}", waitFor = "2s", lease = "30s")
          boolean ship(String id, @CurrentLease Lease lease) {
            return lease.isValid() && locks.lock("orders:" + id).inspect().isPresent();
          }

          @Locked(name = "orders:{0}")
          CompletionStage<Boolean> later(String id, @CurrentLease Lease lease) {
            return CompletableFuture.completedFuture(lease.isValid());
          }
        }

        public static void main(String[] args) throws Exception {
          Config config = ConfigFactory.load();
          System.out.println("named: " + LeaseholdModule.class.getModule().isNamed());
          System.out.println("defaults: " + config.getString("lock.lease")
              + " " + config.getString("lock.redis.connect-timeout")
              + " " + config.getString(args[1]));
          Injector injector = Guice.createInjector(LeaseholdModule.of(config));
          Orders orders = injector.getInstance(Orders.class);
          try (Lease lease = orders.named.acquire()) {
            System.out.println("held: " + lease.lockName() + " " + lease.isValid());
          }
          System.out.println("locked: " + orders.ship("1", null));
          System.out.println("later: " + orders.later("1", null).toCompletableFuture().get());
          System.out.println("free: " + orders.locks.lock("orders:1").inspect().isEmpty());
          Lease last = orders.named.acquire();
          last.lost()
              .thenAccept(
                  loss -> {
                    System.out.println("lost: " + loss.reason());
                    last.release();
                  });
          if (args[0].equals("CLOSES")) {
            injector.getInstance(LockManagers.class).close();
          }
        }
      }
      """;

  private static final String CONFIG =
      """
      lock {
        redis.uri = "%s"
        locks.orders.name = "all:orders"
        %s
      }
      """;

  @TempDir static Path folder;
  private static SmokeApp app;

  @BeforeAll
  static void compile() throws Exception {
    app = SmokeApp.compiledIn(folder, MODULE, MAIN, Jars.runtimePath("lock-guice"));
  }

  /**
   * Backends differ in what they add that Guice may need: Jedis adds nothing, Netty happens to add
   * some. And Redisson's threads keep the JVM running until it is closed.
   */
  @ParameterizedTest(name = "{0} on the {3}, {4}")
  @CsvSource({
    "lock-redis-set, lock.redis-set.mode, fenced, MODULE_PATH, JUST_ENDS",
    "lock-redis-set, lock.redis-set.mode, fenced, CLASS_PATH, JUST_ENDS",
    "lock-redis-setnx, lock.redis-setnx.scheme, setnx-script, MODULE_PATH, JUST_ENDS",
    "lock-redlock, lock.redlock.longest-lease, 1m, MODULE_PATH, JUST_ENDS",
    "lock-redisson-adapter, lock.redisson.mode, plain, MODULE_PATH, CLOSES",
  })
  @DisplayName(
      "Each reference.conf is found, locks are injected, methods are locked, and closed at the end")
  void takesLocks(String module, String key, String value, SmokeApp.Launch launch, String end)
      throws Exception {
    try (ServerGroup servers = NewNodes.three()) {
      String config =
          CONFIG.formatted(
              servers.servers().get(0).uri(), "redlock.nodes = \"" + servers.uri() + '"');
      SmokeApp.Outcome outcome =
          app.with("application.conf", config)
              .run(launch, Jars.runtimePath("lock-guice", module), List.of(end, key));
      assertEquals(
          """
          named: %s
          defaults: 30s 2s %s
          held: all:orders true
          locked: true
          later: true
          free: true
          lost: CLOSED
          """
              .formatted(launch == SmokeApp.Launch.MODULE_PATH, value),
          outcome.output(),
          outcome::errors);
      assertEquals(0, outcome.status(), outcome::errors);
    }
  }

  @Test
  @DisplayName("Errors name the file in the application's module, line and key")
  void wrong() throws Exception {
    SmokeApp.Outcome outcome =
        app.with("application.conf", CONFIG.formatted("redis://127.0.0.1:1", "lesae = 30s"))
            .run(
                SmokeApp.Launch.MODULE_PATH,
                Jars.runtimePath("lock-guice", "lock-redis-set"),
                List.of("JUST_ENDS", "lock.lease"));
    assertNotEquals(0, outcome.status(), outcome::errors);
    assertTrue(outcome.errors().contains("lock.lesae (application.conf"), outcome::errors);
    assertTrue(
        outcome.errors().contains(": 4) is not a known setting; did you mean"), outcome::errors);
  }
}
