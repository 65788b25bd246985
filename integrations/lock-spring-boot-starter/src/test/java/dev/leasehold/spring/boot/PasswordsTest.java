package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.logging.ConditionEvaluationReportMessage;
import org.springframework.context.ConfigurableApplicationContext;

/** Those of Leasehold's own addresses are in lab/lock-examples, by every form and backend. */
@DisplayName("The password of the application's own client is in nothing that locks report")
class PasswordsTest {
  private static final String PASSWORD = "hunter2sw0rdfish";
  private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";
  @AutoClose private static final RedisServer server = RedisServers.start();

  private Heard heard;

  @BeforeAll
  static void start() {
    System.setProperty(LOGGING, "none"); // Boot's start would take the handler away
    server.call("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "&*", "+@all");
  }

  @AfterAll
  static void stop() {
    System.clearProperty(LOGGING);
  }

  @BeforeEach
  void listen() {
    heard = new Heard();
  }

  @AfterEach
  void stopListening() {
    heard.close();
  }

  /** All of it, with no half of the password. */
  private String heard() {
    for (String half : List.of("hunter2", "sw0rdfish")) {
      assertEquals(Optional.empty(), heard.around(half));
    }
    return heard.all();
  }

  private static List<String> as(String client, String login, int port) {
    return List.of(
        "spring.data.redis.client-type=" + client,
        "spring.data.redis.url=redis://" + login + "@127.0.0.1:" + port);
  }

  @Test
  @DisplayName("without a server, with a wrong login, and with a login set twice")
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
      heard.thrown(failure);
      heard.text(Apps.analysis(failure, properties).getDescription());
      heard.text(Apps.analysis(failure, properties).getAction());
    }
    Logger.getLogger("dev.leasehold.spring").fine("what the log has is heard");
    String all = heard();
    assertTrue(all.contains("what the log has is heard"), all);
    assertTrue(all.contains("WRONGPASS") && all.contains("leasehold.redis.password ("), all);
  }

  @Test
  @DisplayName("where all is well: beans, conditions; and then health, when the login is gone")
  void running() {
    server.call("ACL", "SETUSER", "brief", "on", ">" + PASSWORD, "~*", "&*", "+@all");
    List<String> properties = as("lettuce", "brief:" + PASSWORD, server.port());
    try (ConfigurableApplicationContext context = Apps.start(server, properties)) {
      for (String name : context.getBeanDefinitionNames()) {
        Object bean = context.getBean(name);
        if (bean.getClass().getName().startsWith("dev.leasehold.")) {
          heard.text(name + " " + bean);
        }
      }
      heard.text(
          new ConditionEvaluationReportMessage(
                  ConditionEvaluationReport.get(context.getBeanFactory()))
              .toString());
      LockManager manager = context.getBean(LockManager.class);
      try (Lease lease = manager.lock("x").tryAcquire().orElseThrow()) {
        heard.text(lease + " " + manager.lock("x").inspect());
      }
      heard.text(Apps.health(context));
      server.call("ACL", "DELUSER", "brief"); // which ends its connections, too
      String down = Apps.health(context).toString();
      heard.text(down);
      assertTrue(down.contains("DOWN"), down);
      heard.thrown(assertThrows(LockStoreException.class, () -> manager.lock("x").tryAcquire()));
    }
    String all = heard();
    for (String said : List.of("leaseholdLocks", "LeaseholdAutoConfiguration", "UP {guarantees=")) {
      assertTrue(all.contains(said), said);
    }
  }
}
