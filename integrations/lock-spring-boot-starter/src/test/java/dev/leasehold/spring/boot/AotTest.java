package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.Locked;
import io.lettuce.core.RedisClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.javapoet.ClassName;

@DisplayName("An application that is processed ahead of time, for a native image")
class AotTest {
  private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();
  private static final RuntimeHints HINTS = new RuntimeHints();

  record Order(String id) {}

  /** Below the class that is a bean. */
  static class Base {
    @Locked(name = "base")
    public void base() {}
  }

  interface Ships {
    void ship(Order order);
  }

  /** A bean as users write them. */
  static class Orders extends Base implements Ships {
    @Override
    @Locked(name = "orders:{0.id}")
    public void ship(Order order) {}
  }

  /** A bean that gets configured locks. */
  record Shop(
      @Qualifier("stock") DistributedLock stock,
      @Qualifier("exports") DistributedSemaphore exports,
      @Qualifier("loaded") DistributedLatch loaded) {}

  /** A bean that has nothing to do with locks. */
  static class Stranger {
    public void run() {}
  }

  @BeforeAll
  static void process() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "application",
                new HashMap<>(
                    Map.of(
                        "leasehold.locks.stock.lease", "1m",
                        "leasehold.locks.exports.kind", "semaphore",
                        "leasehold.locks.exports.permits", "3",
                        "leasehold.locks.loaded.kind", "latch"))));
    ConfigurationPropertySources.attach(context.getEnvironment());
    context.register(Apps.Application.class, Orders.class, Shop.class, Stranger.class);
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(AotTest.class.getPackageName(), "Generated")),
            FILES,
            HINTS);
    new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    generation.writeGeneratedContent();
    context.close();
  }

  private static void has(Predicate<RuntimeHints> wanted, String what) {
    assertTrue(wanted.test(HINTS), what);
  }

  /** Not by {@code onField} of Spring's predicates, which returns another type in Spring 7. */
  private static Predicate<RuntimeHints> hasField(Class<?> type, String field) {
    return hints ->
        hints
            .reflection()
            .typeHints()
            .filter(hint -> hint.getType().equals(TypeReference.of(type)))
            .flatMap(TypeHint::fields)
            .anyMatch(hint -> hint.getName().equals(field));
  }

  @Test
  @DisplayName("has code for the starter's beans, and the proxies of locked ones")
  void generated() {
    String sources = String.join("\n", FILES.getGeneratedFiles(Kind.SOURCE).keySet());
    for (String bean :
        List.of("LeaseholdAutoConfiguration", "AotTest__", "ConfiguredLockFactory")) {
      assertTrue(sources.contains(bean), sources);
    }
    String classes = String.join("\n", FILES.getGeneratedFiles(Kind.CLASS).keySet());
    assertTrue(classes.contains("AotTest$Orders$$SpringCGLIB$$"), classes);
    assertFalse(classes.contains("AotTest$Stranger$$"), classes);
  }

  @Test
  @DisplayName("keeps the methods that are looked through, and the getters that names call")
  void locked() throws Exception {
    for (Class<?> type : List.of(Orders.class, Base.class, Ships.class)) {
      has(
          RuntimeHintsPredicates.reflection()
              .onType(type)
              .withMemberCategory(MemberCategory.INTROSPECT_DECLARED_METHODS),
          type.getName());
    }
    has(
        RuntimeHintsPredicates.reflection().onMethod(Order.class.getDeclaredMethod("id")).invoke(),
        "Order.id()");
  }

  @Test
  @DisplayName("keeps the clients' fields that are read, and those for locks opened later")
  void starter() throws Exception {
    has(hasField(RedisClient.class, "redisURI"), "where Lettuce connects to");
    has(hasField(JedisConnectionFactory.class, "clientConfig"), "how Jedis logs in");
    has(RuntimeHintsPredicates.proxies().forInterfaces(LockManager.class), "LockManager");
    for (Class<?> type : OpenedLater.LOCKS) {
      has(RuntimeHintsPredicates.proxies().forInterfaces(type), type.getName());
    }
    assertEquals(5, OpenedLater.LOCKS.size());
  }
}
