package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.micrometer.LockMetrics;
import dev.leasehold.micrometer.LockObservations;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;

@DisplayName("Meters and observations of locks, where the application has registries")
class MetricsTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  /** What an application with tracing has. */
  static class Registries {
    final List<String> observed = new CopyOnWriteArrayList<>();

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    ObservationRegistry observations() {
      ObservationRegistry registry = ObservationRegistry.create();
      registry.observationConfig().observationHandler(new Recording(observed));
      return registry;
    }
  }

  /** Not of Lettuce's commands, which are there since Spring Boot 4. */
  private record Recording(List<String> observed)
      implements ObservationHandler<Observation.Context> {
    @Override
    public void onStop(Observation.Context context) {
      if (!context.getName().equals("lettuce")) {
        observed.add(context.getName());
      }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  /** An application with meters of its own. */
  static class OwnMetrics {
    @Bean
    LockMetrics ours(MeterRegistry registry) {
      return LockMetrics.namesAsTags(registry, name -> "ours", 1);
    }
  }

  private static void lock(ConfigurableApplicationContext context, String name) throws Exception {
    context.getBean(LockManager.class).lock(name).acquire().release();
  }

  /** What the meter of grants has counted, by the tag of the lock's name, if it has one. */
  private static Set<String> acquired(ConfigurableApplicationContext context) {
    Set<String> found = new TreeSet<>();
    context
        .getBean(MeterRegistry.class)
        .find("leasehold.acquired")
        .counters()
        .forEach(counter -> found.add(counter.getId().getTag("lock") + "=" + counter.count()));
    return found;
  }

  @Test
  @DisplayName("They are there unasked, and names are no tags")
  void unasked() throws Exception {
    ConfigurableApplicationContext context = Apps.start(server, List.of(), Registries.class);
    try (context) {
      lock(context, "a");
      lock(context, "b");
      Await.until("grants are counted", () -> acquired(context).equals(Set.of("null=2.0")));
      List<String> observed = context.getBean(Registries.class).observed;
      Await.until("holds are observed", () -> observed.size() == 4);
      assertEquals(
          List.of(LockObservations.ACQUIRE, LockObservations.HOLD),
          observed.stream().distinct().sorted().toList());
    }
  }

  @Test
  @DisplayName("Names are tags where asked for, so many of them")
  void nameTags() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(server, List.of("leasehold.metrics.nameTags=2"), Registries.class);
    try (context) {
      for (String name : List.of("a", "b", "c", "d")) {
        lock(context, name);
      }
      Set<String> expected = Set.of("a=1.0", "b=1.0", LockMetrics.OTHERS + "=2.0");
      Await.until("each is counted", () -> acquired(context).equals(expected));
    }
  }

  @Test
  @DisplayName("Patterns of names are tags where asked for, from zero on")
  void namePatterns() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(
            server, List.of("leasehold.metrics.name-patterns=orders:*, night*"), Registries.class);
    try (context) {
      for (String name : List.of("orders:1", "orders:2", "stock")) {
        lock(context, name);
      }
      Set<String> expected = Set.of("orders:*=2.0", "night*=0.0", LockMetrics.OTHERS + "=1.0");
      Await.until("each is counted", () -> acquired(context).equals(expected));
    }
  }

  @Test
  @DisplayName("Those of the application take the place of ours")
  void own() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(server, List.of(), Registries.class, OwnMetrics.class);
    try (context) {
      lock(context, "a");
      Await.until("it is counted", () -> acquired(context).equals(Set.of("ours=1.0")));
      assertEquals(1, context.getBeansOfType(LockMetrics.class).size());
    }
  }

  /** The same, under the type that listeners have in common. */
  static class Listeners {
    @Bean
    LockListener counting(MeterRegistry registry) {
      return LockMetrics.on(registry);
    }

    @Bean
    LockListener observing(ObservationRegistry registry) {
      return LockObservations.on(registry);
    }
  }

  /** With other tags than ours would have. */
  static class TaggedListener {
    @Bean
    LockListener counting(MeterRegistry registry) {
      return LockMetrics.namesAsTags(registry, name -> "ours", 1);
    }
  }

  @Test
  @DisplayName("Ours leave no meters without those tags")
  void ownTags() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(server, List.of(), Registries.class, TaggedListener.class);
    try (context) {
      lock(context, "a");
      Await.until("it is counted", () -> acquired(context).contains("ours=1.0"));
      assertEquals(Set.of("ours=1.0"), acquired(context));
    }
  }

  @Test
  @DisplayName("So do those whose bean methods say no more than LockListener: all counts once")
  void ownAsListeners() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(server, List.of(), Registries.class, Listeners.class);
    try (context) {
      lock(context, "a");
      List<String> observed = context.getBean(Registries.class).observed;
      Await.until("the hold is observed", () -> observed.contains(LockObservations.HOLD));
      Await.until("it is counted", () -> !acquired(context).isEmpty());
      assertEquals(Set.of("null=1.0"), acquired(context));
      assertEquals(
          1,
          observed.stream().filter(LockObservations.ACQUIRE::equals).count(),
          observed::toString);
    }
  }

  /** A manager of the application's own, which takes no listeners. */
  static class OwnManager {
    @Bean
    LockManager manager(@Value("${spring.data.redis.port}") int port) {
      String uri = "redis://127.0.0.1:" + port;
      return LockManager.open(
          LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", uri)));
    }
  }

  @Test
  @DisplayName("Beside a manager that does not feed them none are made")
  void ownManager() throws Exception {
    ConfigurableApplicationContext context =
        Apps.start(server, List.of(), Registries.class, OwnManager.class);
    try (context) {
      lock(context, "a");
      assertFalse(context.getBeanFactory().containsSingleton("leaseholdLockMetrics"));
      assertFalse(context.getBeanFactory().containsSingleton("leaseholdLockObservations"));
      assertTrue(context.getBean(MeterRegistry.class).find("leasehold.held").gauges().isEmpty());
    }
  }

  @Test
  @DisplayName("The registries that Spring Boot makes are used, in each generation")
  void ofBoot() throws Exception {
    ConfigurableApplicationContext context = Apps.start(server, List.of());
    try (context) {
      lock(context, "a");
      Await.until("it is counted", () -> acquired(context).equals(Set.of("null=1.0")));
      assertEquals(1, context.getBeansOfType(LockObservations.class).size());
    }
  }

  @Test
  @DisplayName("They can be turned off, each by itself; a word that is neither is refused")
  void off() throws Exception {
    List<String> off =
        List.of("leasehold.metrics.enabled=false", "leasehold.observations.enabled=false");
    try (ConfigurableApplicationContext context = Apps.start(server, off, Registries.class)) {
      lock(context, "a");
      assertEquals(Set.of(), acquired(context));
      Set<String> listeners = context.getBeansOfType(LockListener.class).keySet();
      assertEquals(Set.of("leaseholdNodesDown"), listeners);
    }
    Map<String, String> wrong =
        Map.of(
            "leasehold.metrics.name-patterns=" + "x,".repeat(101),
            " is invalid; expected: up to 100 patterns, separated by commas (these are 101)",
            "leasehold.metrics.enabled=flase",
            "lock.metrics.enabled = 'flase' (\"leasehold.metrics.enabled\" from property source"
                + " \"commandLineArgs\") is invalid; expected: one of true, false",
            "leasehold.metrics.name-tags=10001",
            "lock.metrics.name-tags = '10001' (\"leasehold.metrics.name-tags\" from property"
                + " source \"commandLineArgs\") is invalid; expected: whole number from 0 to"
                + " 10000");
    wrong.forEach(
        (property, told) -> {
          Throwable failure =
              assertThrows(
                  Exception.class,
                  () -> Apps.start(server, List.of(property), Registries.class).close());
          while (!(failure instanceof LockConfigurationException) && failure.getCause() != null) {
            failure = failure.getCause();
          }
          String message = String.valueOf(failure.getMessage());
          assertTrue(message.contains(told), message);
        });
  }

  /** An application without lock-micrometer. */
  private static ConfigurableApplicationContext startWithout(String... properties) {
    ClassLoader without =
        new ClassLoader(MetricsTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.leasehold.micrometer.")) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    List<String> arguments = new ArrayList<>(List.of(properties));
    arguments.add("--spring.data.redis.port=" + server.port());
    return new SpringApplicationBuilder(
            new DefaultResourceLoader(without), Apps.Application.class, Registries.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .run(arguments.toArray(String[]::new));
  }

  @Test
  @DisplayName("Without lock-micrometer on the path there are none, and locks work")
  void notOnThePath() throws Exception {
    try (ConfigurableApplicationContext context =
        startWithout("--leasehold.metrics.name-tags=20")) {
      lock(context, "a");
      assertEquals(Set.of(), acquired(context));
    }
  }

  @Test
  @DisplayName("Their settings are still read, and errors are reported at once")
  void wrongAndNotOnThePath() {
    Throwable failure =
        assertThrows(
            Exception.class,
            () ->
                startWithout(
                        "--leasehold.metrics.enabled=flase",
                        "--leasehold.metrics.name-tags=10001",
                        "--leasehold.observations.enabled=no")
                    .close());
    while (!(failure instanceof LockConfigurationException) && failure.getCause() != null) {
      failure = failure.getCause();
    }
    String told = String.valueOf(failure.getMessage());
    assertEquals(3, told.lines().count(), told);
    assertTrue(told.contains("lock.metrics.enabled = 'flase' ("), told);
    assertTrue(told.contains("lock.metrics.name-tags = '10001' ("), told);
    assertTrue(told.contains("lock.observations.enabled = 'no' ("), told);
  }
}
