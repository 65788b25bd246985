package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.name.Names;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("LeaseholdModule: managers and locks from an injector")
class LeaseholdModuleTest {
  @AutoClose private static final RedisServer server = RedisServers.start();
  private final List<Injector> injectors = new ArrayList<>();

  @AfterEach
  void close() {
    injectors.forEach(injector -> injector.getInstance(LockManagers.class).close());
  }

  private Injector injector(Module... modules) {
    Injector injector = Guice.createInjector(modules);
    injectors.add(injector);
    return injector;
  }

  private static Config config(String more) {
    return ConfigFactory.parseString("lock.redis.uri = \"" + server.uri() + "\"\n" + more)
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  static final class Orders {
    private final LockManager locks;
    private final DistributedLock orders;
    private final DistributedLock nightly;

    @Inject
    Orders(
        LockManager locks,
        @Named("orders") DistributedLock orders,
        @Named("nightly") DistributedLock nightly) {
      this.locks = locks;
      this.orders = orders;
      this.nightly = nightly;
    }
  }

  @Test
  @DisplayName("A manager acquires and releases a lock; a named lock has its own options")
  void injected() throws Exception {
    Injector injector =
        injector(
            LeaseholdModule.of(
                config(
                    """
                    lock.lease = 40s
                    lock.locks {
                      orders { name = "shop:orders", lease = 3s, renewal = fixed }
                      nightly {}
                    }
                    """)));
    Orders orders = injector.getInstance(Orders.class);
    assertSame(orders.locks, injector.getInstance(LockManager.class));
    assertEquals("shop:orders", orders.orders.name());
    assertEquals("nightly", orders.nightly.name());
    try (Lease lease = orders.orders.acquire();
        Lease other = orders.nightly.acquire()) {
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(3)) <= 0, "its own lease");
      assertTrue(other.remaining().compareTo(Duration.ofSeconds(30)) > 0, "the manager's lease");
      HolderInfo holder = orders.locks.lock("shop:orders").inspect().orElseThrow();
      assertTrue(holder.remaining().compareTo(Duration.ofSeconds(3)) <= 0, holder::toString);
    }
    assertTrue(orders.locks.lock("shop:orders").inspect().isEmpty());
    LockOptions options = injector.getInstance(Key.get(LockOptions.class, Names.named("orders")));
    assertEquals(Renewal.FIXED, options.renewal());
    assertEquals(
        Renewal.AUTOMATIC,
        injector.getInstance(Key.get(LockOptions.class, Names.named("nightly"))).renewal());
  }

  @Test
  @DisplayName(
      "An eager manager connects with the injector; a lazy one at its first use, and again")
  void lazily() throws Exception {
    Config unreachable = ConfigFactory.parseString("lock.redis.uri = \"redis://127.0.0.1:1\"");
    CreationException eager =
        assertThrows(CreationException.class, () -> injector(LeaseholdModule.of(unreachable)));
    assertTrue(eager.getCause() instanceof LockStoreException, eager::toString);
    Injector lazy =
        Guice.createInjector(Stage.PRODUCTION, LeaseholdModule.of(unreachable).lazily());
    for (int i = 0; i < 2; i++) {
      ProvisionException failed =
          assertThrows(ProvisionException.class, () -> lazy.getInstance(LockManager.class));
      assertTrue(failed.getCause() instanceof LockStoreException, failed::toString);
    }
    Injector working = injector(LeaseholdModule.of(config("")).lazily());
    LockManager manager = working.getInstance(LockManager.class);
    assertSame(manager, working.getInstance(LockManager.class));
    manager.lock("lazy").acquire().release();
  }

  @Test
  @DisplayName("Closing LockManagers closes the managers opened before and after")
  void closing() {
    Injector eager = injector(LeaseholdModule.of(config("")));
    LockManager manager = eager.getInstance(LockManager.class);
    eager.getInstance(LockManagers.class).close();
    assertThrows(LockManagerClosedException.class, () -> manager.lock("a"));

    Injector lazy = injector(LeaseholdModule.of(config("")).lazily().closedByHand());
    lazy.getInstance(LockManagers.class).close();
    LockManager late = lazy.getInstance(LockManager.class);
    assertThrows(LockManagerClosedException.class, () -> late.lock("a"));
  }

  @Test
  @DisplayName("Several managers in one injector, by qualifier")
  void qualified() throws Exception {
    try (RedisServer second = RedisServers.start()) {
      Config config =
          config(
              """
              lock.locks.orders {}
              billing-lock { redis.uri = "%s", label = billing, locks.invoices.lease = 5s }
              """
                  .formatted(second.uri()));
      Injector injector =
          injector(
              LeaseholdModule.of(config),
              LeaseholdModule.of(ConfigSettings.of(config, "billing-lock"))
                  .annotatedWith(Names.named("billing")));
      LockManager main = injector.getInstance(LockManager.class);
      LockManager billing =
          injector.getInstance(Key.get(LockManager.class, Names.named("billing")));
      assertNotSame(main, billing);
      DistributedLock invoices =
          injector.getInstance(Key.get(DistributedLock.class, Names.named("invoices")));
      try (Lease lease = invoices.acquire()) {
        assertTrue(lease.isValid());
        assertEquals("billing", billing.lock("invoices").inspect().orElseThrow().holder());
        assertTrue(main.lock("invoices").inspect().isEmpty(), "another server");
      }
      injector.getInstance(LockManagers.class).close();
      assertThrows(LockManagerClosedException.class, () -> main.lock("a"));
      assertThrows(LockManagerClosedException.class, () -> billing.lock("a"));
    }
  }

  /** Renews nothing, and knows what it was asked for. */
  static final class Recording implements LeaseRenewer {
    static final List<String> ADDED = new java.util.concurrent.CopyOnWriteArrayList<>();

    @Override
    public void start(Context context) {}

    @Override
    public void add(RenewableLease lease) {
      ADDED.add(lease.lockName());
    }

    @Override
    public void remove(RenewableLease lease) {}

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("A LeaseRenewer that the application binds is the one that is asked")
  void renewer() throws Exception {
    Injector injector =
        injector(
            LeaseholdModule.of(config("")),
            new AbstractModule() {
              @Override
              protected void configure() {
                bind(LeaseRenewer.class).to(Recording.class);
              }
            });
    try (Lease lease = injector.getInstance(LockManager.class).lock("renewed").acquire()) {
      assertTrue(lease.isValid());
      assertEquals(List.of("renewed"), Recording.ADDED);
    }
    Injector plain = injector(LeaseholdModule.of(config("")));
    plain.getInstance(LockManager.class).lock("renewed").acquire().release();
    assertEquals(1, Recording.ADDED.size(), "no renewer but the default without a binding");
  }

  @Test
  @DisplayName(
      "A QuorumPolicy that the application binds reaches the backend: one store refuses it")
  void policy() {
    CreationException refused =
        assertThrows(
            CreationException.class,
            () ->
                injector(
                    LeaseholdModule.of(config("")),
                    new AbstractModule() {
                      @Override
                      protected void configure() {
                        bind(QuorumPolicy.class).toInstance(QuorumPolicy.majority());
                      }
                    }));
    assertTrue(refused.getCause() instanceof LockConfigurationException, refused::toString);
    assertTrue(refused.getMessage().contains("redis-set uses one store"), refused::getMessage);
  }

  @Test
  @DisplayName("All that is wrong with settings is one CreationException, for lazy managers too")
  void allAtOnce() {
    CreationException refused =
        assertThrows(
            CreationException.class,
            () ->
                Guice.createInjector(
                    LeaseholdModule.of(
                            config(
                                """
                                lock.lease = 30 parsecs
                                lock.laese = 30s
                                lock.backend = redis-sett
                                lock.locks.orders { renewal = sometimes, lesae = 3s }
                                """))
                        .lazily()));
    String message = refused.getMessage();
    assertEquals(5, refused.getErrorMessages().size(), message);
    assertTrue(message.contains("lock.lease = '30 parsecs' (String: 2) is invalid"), message);
    assertTrue(message.contains("'parsecs' is no unit: allowed are ms, s, m, h and d"), message);
    assertTrue(
        message.contains("lock.laese (String: 3) is not a known setting; did you mean lock.lease?"),
        message);
    assertTrue(
        message.contains(
            "lock.backend = 'redis-sett' (String: 4) is not on the path; there are: redis-set"),
        message);
    assertTrue(
        message.contains("lock.locks.orders.renewal = 'sometimes' (String: 5) is invalid"),
        message);
    assertTrue(
        message.contains("lock.locks.orders.lesae (String: 5) is not a known setting"), message);
    assertFalse(message.contains("\tat dev.leasehold.lock"), message);
  }
}
