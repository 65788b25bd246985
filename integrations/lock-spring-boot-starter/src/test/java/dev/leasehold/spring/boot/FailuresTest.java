package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;

@DisplayName("An application that can't start reports why, and what to do")
class FailuresTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  @BeforeAll
  static void start() {
    server.call("ACL", "SETUSER", "app", "on", ">right", "~*", "&*", "+@all");
  }

  /** Wrong in each way that a method can be. */
  static class Wrong {
    @Locked(name = "{5}", waitFor = "${app.wait}", options = "unknown")
    public final void run() {}
  }

  /** What Kotlin compiles {@code suspend fun run(id: String): Unit} to. */
  static class Suspends {
    @Locked(name = "{0}")
    public Object run(String id, Continuation<? super String> caller) {
      return id;
    }
  }

  /** An application with two managers. */
  static class Two {
    @Bean
    LockManager first(@Value("${spring.data.redis.port}") int port) {
      return ManagersTest.open(port);
    }

    @Bean
    LockManager second(@Value("${spring.data.redis.port}") int port) {
      return ManagersTest.open(port);
    }
  }

  /** Methods that say which manager's lock they take, and that do not. */
  static class Which {
    @Locked(name = "which")
    @Qualifier("second")
    public void said() {}

    @Locked(name = "which")
    public void unsaid() {}

    @Locked(name = "which")
    @Qualifier("third")
    public void wrong() {}
  }

  @Test
  @DisplayName("A method that has no manager, or one of two, with those that there are")
  void managers() {
    String text = analysis(List.of(), Two.class, Which.class).getDescription();
    assertEquals(2, text.lines().count(), text);
    assertTrue(text.contains("Which.unsaid(): it does not say which manager's lock"), text);
    assertTrue(
        text.contains("Which.wrong(): @Qualifier(\"third\") beside @Locked names no manager"),
        text);
    assertTrue(text.contains("LockManager beans are first, second"), text);
  }

  @Test
  @DisplayName("Whether there are locks at all, where the word is neither true nor false")
  void enabled() {
    String text = analysis(List.of("leasehold.enabled=flase")).getDescription();
    assertTrue(text.contains("leasehold.enabled = 'flase' ("), text);
    assertTrue(text.contains("expected: one of true, false"), text);
    Apps.start(server, List.of("leasehold.enabled=FALSE")).close(); // as Boot reads it
  }

  /** An application whose manager is another one at each injection. */
  static class Anew {
    static final AtomicInteger MADE = new AtomicInteger();

    @Bean
    @Scope("prototype")
    LockManager anew(@Value("${spring.data.redis.port}") int port) {
      MADE.incrementAndGet();
      return ManagersTest.open(port);
    }
  }

  /** A method that is under a lock of it. */
  static class Unasked {
    @Locked(name = "which")
    public void locked() {}
  }

  @Test
  @DisplayName("No manager is created only for inspection, since it would not be closed")
  void prototype() {
    List<String> others =
        List.of(
            "management.health.leasehold.enabled=false",
            "leasehold.metrics.enabled=false",
            "leasehold.observations.enabled=false");
    try (var context = Apps.start(server, others, Anew.class, Unasked.class)) {
      assertTrue(AopUtils.isAopProxy(context.getBean(Unasked.class)), "its method is locked");
      assertEquals(0, Anew.MADE.get());
      context.getBean(LockManager.class).close();
      assertEquals(1, Anew.MADE.get());
    }
  }

  /** Wants a semaphore whose kind can't be read. */
  record Exports(@Qualifier("exports") DistributedSemaphore exports) {}

  @Test
  @DisplayName("A kind that can't be read, though a bean wants the lock of it")
  void kind() {
    String text =
        analysis(
                List.of(
                    "leasehold.locks.exports.kind=semafor", "leasehold.locks.exports.permits=2"),
                Exports.class)
            .getDescription();
    assertTrue(text.contains("leasehold.locks.exports.kind = 'semafor'"), text);
    assertTrue(text.contains("expected: one of lock, read-write, semaphore, latch"), text);
  }

  private static FailureAnalysis analysis(List<String> properties, Class<?>... beans) {
    Exception failure =
        assertThrows(Exception.class, () -> Apps.start(server, properties, beans).close());
    return Apps.analysis(failure, properties);
  }

  @Test
  @DisplayName("All wrong settings at once, by their properties' names, with their origins")
  void settings() {
    String text =
        analysis(
                List.of(
                    "leasehold.lease=5 parsecs",
                    "leasehold.lese=30s",
                    "leasehold.redis.password=secret"))
            .getDescription();
    assertEquals(3, text.lines().count(), text);
    assertTrue(text.contains("leasehold.lease = '5 parsecs'"), text);
    assertTrue(text.contains("leasehold.lese"), text);
    assertTrue(text.contains("commandLineArgs"), text);
    assertTrue(
        text.contains("has no effect on the application's own Redis client: take it out"), text);
    assertFalse(text.contains("secret") || text.contains(" lock."), text);
  }

  @Test
  @DisplayName("All that is wrong with a method, when its bean is made")
  void methods() {
    String text = analysis(List.of(), Wrong.class).getDescription();
    assertTrue(text.contains("Wrong.run(): it is final, so that Spring can't"), text);
    assertTrue(text.contains("{5} counts from 0"), text);
    assertTrue(text.contains("Could not resolve placeholder 'app.wait'"), text);
  }

  @Test
  @DisplayName("A Kotlin suspend function, with the reason and advice")
  void suspend() {
    String text = analysis(List.of(), Suspends.class).getDescription();
    assertTrue(text.contains("it is a Kotlin suspend function, which returns at its first"), text);
    assertTrue(text.contains("return a CompletionStage"), text);
  }

  /** Wants what is switched off. */
  record Injected(LockManager locks) {}

  @Test
  @DisplayName("Injecting a manager with locks disabled reports that, and what it means")
  void switchedOff() {
    FailureAnalysis analysis = analysis(List.of("leasehold.enabled=false"), Injected.class);
    String text = analysis.getDescription();
    assertTrue(text.contains("Injected required a bean of type"), text);
    assertTrue(text.contains("since leasehold.enabled = false (\"leasehold.enabled\" from"), text);
    assertTrue(analysis.getAction().contains("ObjectProvider<LockManager>"), analysis.getAction());
    assertTrue(analysis.getAction().contains("@Locked methods run without"), analysis.getAction());
  }

  @Test
  @DisplayName("A wrong login of the application's own client, by its own properties")
  void login() {
    for (String client : List.of("lettuce", "jedis")) {
      FailureAnalysis analysis =
          analysis(
              List.of(
                  "spring.data.redis.client-type=" + client,
                  "spring.data.redis.username=app",
                  "spring.data.redis.password=mistaken"));
      String text = analysis.getDescription();
      assertTrue(text.contains("WRONGPASS") && !text.contains("lock.redis"), text);
      String action = analysis.getAction();
      assertTrue(action.startsWith("Redis answers, and refuses the login."), action);
      assertTrue(action.contains(", spring.data.redis.password (\"spring.data."), action);
      assertFalse(action.contains("Look whether") || action.contains("mistaken"), action);
      assertFalse(action.contains("leasehold.enabled"), "an outage is no reason for no locks");
    }
  }

  @Test
  @DisplayName("A wrong login of Leasehold's own connection, by its properties")
  void ownLogin() {
    FailureAnalysis analysis =
        analysis(
            List.of(
                "leasehold.redis.uri=" + server.uri(),
                "leasehold.redis.username=app",
                "leasehold.redis.password=mistaken",
                "leasehold.backend=redis-set"));
    assertTrue(
        analysis.getAction().contains(", leasehold.redis.password (\"leasehold.redis.password"),
        analysis.getAction());
    assertFalse(analysis.getDescription().contains(" lock."), analysis.getDescription());
  }

  @Test
  @DisplayName("A Redis that can't be reached")
  void unreachable() {
    FailureAnalysis analysis =
        analysis(List.of("leasehold.redis.uri=redis://127.0.0.1:1", "leasehold.backend=redis-set"));
    assertTrue(analysis.getDescription().contains("127.0.0.1:1"), analysis.getDescription());
    String action = analysis.getAction();
    assertTrue(action.startsWith("Look whether Redis runs"), action);
    assertTrue(action.contains("leasehold.redis.uri (\"leasehold.redis.uri\" from"), action);
    assertTrue(action.contains("leasehold.open = lazy"), action);
  }
}
