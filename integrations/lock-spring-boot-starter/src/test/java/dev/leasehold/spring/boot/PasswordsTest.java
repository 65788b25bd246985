package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.logging.ConditionEvaluationReportMessage;
import org.springframework.context.ConfigurableApplicationContext;

/** Those of Leasehold's own addresses are in lab/lock-examples, by every form and backend. */
@DisplayName("The password of the application's own client is in nothing that locks tell")
class PasswordsTest {
  private static final String PASSWORD = "hunter2sw0rdfish";
  private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";

  private static final Logger OURS = Logger.getLogger("dev.leasehold");
  private static RedisServer server;

  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private final Handler listening = new Listening();

  private final class Listening extends Handler {
    @Override
    public void publish(LogRecord logged) {
      heard.add(new SimpleFormatter().format(logged));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeAll
  static void start() {
    System.setProperty(LOGGING, "none"); // Boot's start would take the handler away
    server = RedisServers.start();
    server.call("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    System.clearProperty(LOGGING);
    server.close();
  }

  @BeforeEach
  void listen() {
    OURS.setLevel(Level.ALL);
    OURS.addHandler(listening);
  }

  @AfterEach
  void stopListening() {
    OURS.removeHandler(listening);
    OURS.setLevel(null);
  }

  private void thrown(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    heard.add(text.toString());
  }

  private String heard() {
    String all = String.join("\n", heard);
    for (String half : List.of("hunter2", "sw0rdfish")) {
      int at = all.indexOf(half);
      assertTrue(
          at < 0, () -> all.substring(Math.max(0, at - 300), Math.min(all.length(), at + 30)));
    }
    return all;
  }

  private static List<String> as(String client, String login, int port) {
    return List.of(
        "spring.data.redis.client-type=" + client,
        "spring.data.redis.url=redis://" + login + "@127.0.0.1:" + port);
  }

  @Test
  @DisplayName("where nobody is there, where the login is wrong, and where it is set twice")
  void failures() {
    List<String> twice = new ArrayList<>(as("lettuce", "app:" + PASSWORD, server.port()));
    twice.add("leasehold.redis.password=" + PASSWORD);
    for (List<String> properties :
        List.of(
            as("lettuce", "app:" + PASSWORD, 1),
            as("jedis", "app:" + PASSWORD + "x", server.port()),
            twice)) {
      Exception failure =
          assertThrows(Exception.class, () -> Apps.start(server, properties).close());
      thrown(failure);
      heard.add(Apps.analysis(failure).getDescription());
      heard.add(Apps.analysis(failure).getAction());
    }
    OURS.fine("what the log has is heard");
    String all = heard();
    assertTrue(all.contains("what the log has is heard"), all);
    assertTrue(all.contains("WRONGPASS") && all.contains("leasehold.redis.password ("), all);
  }

  @Test
  @DisplayName("where all is well: beans, conditions; and then health, when the login is gone")
  void running() throws Exception {
    server.call("ACL", "SETUSER", "brief", "on", ">" + PASSWORD, "~*", "&*", "+@all");
    List<String> properties = as("lettuce", "brief:" + PASSWORD, server.port());
    try (ConfigurableApplicationContext context = Apps.start(server, properties)) {
      for (String name : context.getBeanDefinitionNames()) {
        Object bean = context.getBean(name);
        if (bean.getClass().getName().startsWith("dev.leasehold.")) {
          heard.add(name + " " + bean);
        }
      }
      heard.add(
          new ConditionEvaluationReportMessage(
                  ConditionEvaluationReport.get(context.getBeanFactory()))
              .toString());
      LockManager manager = context.getBean(LockManager.class);
      try (Lease lease = manager.lock("x").tryAcquire().orElseThrow()) {
        heard.add(lease + " " + manager.lock("x").inspect());
      }
      Object indicator = context.getBean("leaseholdHealthIndicator");
      Method health = indicator.getClass().getMethod("health");
      health.setAccessible(true);
      heard.add(String.valueOf(health.invoke(indicator)));
      server.call("ACL", "DELUSER", "brief"); // which ends its connections, too
      String down = String.valueOf(health.invoke(indicator));
      heard.add(down);
      assertTrue(down.contains("DOWN"), down);
      thrown(assertThrows(LockStoreException.class, () -> manager.lock("x").tryAcquire()));
    }
    String all = heard();
    for (String said : List.of("leaseholdLocks", "LeaseholdAutoConfiguration", "UP {guarantees=")) {
      assertTrue(all.contains(said), said);
    }
  }
}
