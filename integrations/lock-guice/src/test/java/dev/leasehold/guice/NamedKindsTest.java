package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.ProvisionException;
import com.google.inject.name.Names;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Named locks of every kind, as settings say")
class NamedKindsTest {
  private static final Duration MOST = Duration.ofSeconds(20);

  @AutoClose private static final RedisServer server = RedisServers.start();
  private static Injector other;

  /** Another application: a manager of its own on the same server. */
  private static LockManager others;

  private final List<Injector> injectors = new ArrayList<>();

  @BeforeAll
  static void start() {
    other = Guice.createInjector(LeaseholdModule.of(config("")));
    others = other.getInstance(LockManager.class);
  }

  @AfterAll
  static void stop() {
    other.getInstance(LockManagers.class).close();
  }

  @AfterEach
  void close() {
    injectors.forEach(injector -> injector.getInstance(LockManagers.class).close());
  }

  private static Config config(String more) {
    return ConfigFactory.parseString(
            "lock { command-timeout = 20s, redis.uri = \"" + server.uri() + "\" }\n" + more)
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  private Injector injector(String more) {
    Injector injector = Guice.createInjector(LeaseholdModule.of(config(more)));
    injectors.add(injector);
    return injector;
  }

  private static String refusal(String more) {
    return assertThrows(
            CreationException.class,
            () -> Guice.createInjector(LeaseholdModule.of(config(more)).lazily()))
        .getMessage();
  }

  static final class Shop {
    @Inject
    @Named("catalogue")
    DistributedReadWriteLock catalogue;

    @Inject
    @Named("exports")
    DistributedSemaphore exports;

    @Inject
    @Named("loaded")
    DistributedLatch loaded;
  }

  private static final String KINDS =
      """
      lock.at-least = 1m
      lock.locks {
        catalogue { kind = read-write, name = "shop:catalogue", lease = 10s }
        exports { kind = semaphore, permits = 2 }
        loaded { kind = latch }
      }
      """;

  @Test
  @DisplayName("They are injected by name, and are the same locks as another application's")
  void injected() throws Exception {
    Injector injector = injector(KINDS);
    Shop shop = injector.getInstance(Shop.class);
    DistributedReadWriteLock theirs = others.readWriteLock("shop:catalogue");
    try (Lease reading = shop.catalogue.read().acquire()) {
      assertTrue(reading.remaining().compareTo(Duration.ofSeconds(10)) <= 0, "its own lease");
      theirs.read().tryAcquire().orElseThrow().release();
      assertTrue(theirs.write().tryAcquire().isEmpty(), "it is read");
    }
    try (Lease writing = shop.catalogue.write().acquire()) {
      assertTrue(writing.isValid());
      assertTrue(theirs.read().tryAcquire().isEmpty(), "it is written");
    }
    assertEquals(2, shop.exports.permits());
    DistributedSemaphore exports = others.semaphore("exports", 2);
    try (Lease both = shop.exports.acquire(2)) {
      assertTrue(both.isValid());
      assertTrue(exports.tryAcquire().isEmpty(), "no permit is left");
      assertThrows(
          LockConfigurationException.class, () -> others.semaphore("exports", 3).tryAcquire());
    }
    others.latch("loaded").open(1, MOST);
    assertFalse(others.latch("loaded").await(Duration.ZERO));
    assertTrue(shop.loaded.countDown());
    assertTrue(others.latch("loaded").await(MOST));
    LockOptions options = injector.getInstance(Key.get(LockOptions.class, Names.named("exports")));
    assertEquals(Duration.ZERO, options.atLeast(), "the manager's is for plain locks");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind = semafor | lock.locks.a.kind = 'semafor' (String: 2) is invalid; expected: one of lock, read-write, semaphore, latch
          kind = semaphore, permits = 0 | lock.locks.a.permits = '0' (String: 2) is invalid; expected: whole number from 1 to 1000000
          kind = semaphore, permits = 1000001 | lock.locks.a.permits = '1000001' (String: 2) is invalid; expected: whole number from 1 to 1000000
          kind = semaphore, permits = -1 | lock.locks.a.permits = '-1' (String: 2) is invalid; expected: whole number from 1 to 1000000
          kind = semaphore | lock.locks.a.permits is not set, and the semaphore a (String: 2) has no number of its own; expected: whole number from 1 to 1000000
          permits = 3 | lock.locks.a.permits = '3' (String: 2) does not go with the kind lock: permits are a semaphore's, lock.locks.a.kind = semaphore
          kind = read-write, at-least = 1m | lock.locks.a.at-least = '1m' (String: 2) does not go with the kind read-write: it has no minimum hold
          kind = latch, lease = 3s | lock.locks.a.lease = '3s' (String: 2) does not go with the kind latch: it has no lease
          """)
  @DisplayName("Errors name key, value and what is allowed")
  void wrong(String settings, String told) {
    String message = refusal("lock.locks.a { " + settings + " }");
    assertTrue(message.contains(told), message);
  }

  static class Catalogue {
    @Locked(name = "catalogue:{0}", mode = LockMode.READ)
    public void look(String part) {}
  }

  @Test
  @DisplayName("A kind that the backend lacks is refused with the reason, for methods too")
  void lacking() {
    String plain = "lock.redis-set.mode = plain\n" + KINDS.replace("lock.at-least = 1m", "");
    CreationException refused =
        assertThrows(
            CreationException.class,
            () ->
                Guice.createInjector(
                    LeaseholdModule.of(config(plain)), binder -> binder.bind(Catalogue.class)));
    String message = refused.getMessage();
    for (String told :
        List.of(
            "lock.locks.catalogue (String: 5): read/write lock 'shop:catalogue': this manager does"
                + " not promise SHARED",
            "lock.locks.exports (String: 6): semaphore 'exports': this manager does not promise"
                + " PERMITS",
            "lock.locks.loaded (String: 7): latch 'loaded': this manager does not promise LATCH",
            "Catalogue.look(String): mode = READ: read/write lock 'catalogue:{0}'",
            "redis-setnx (scheme setnx-script)")) {
      assertTrue(message.contains(told), () -> told + " is not in\n" + message);
    }
    Injector without = injector("lock.redis-set.mode = plain");
    String later =
        assertThrows(Exception.class, () -> without.getInstance(Catalogue.class)).getMessage();
    assertTrue(
        later.contains("Catalogue.look(String): mode = READ: read/write lock 'catalogue:{0}'"),
        later);
    Injector lazy = Guice.createInjector(LeaseholdModule.of(config(plain)).lazily());
    injectors.add(lazy);
    Key<DistributedSemaphore> exports = Key.get(DistributedSemaphore.class, Names.named("exports"));
    String used =
        assertThrows(ProvisionException.class, () -> lazy.getInstance(exports)).getMessage();
    assertTrue(used.contains("does not promise PERMITS"), used);
  }
}
