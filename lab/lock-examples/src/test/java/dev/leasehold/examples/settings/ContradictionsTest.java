package dev.leasehold.examples.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.guice.LeaseholdModule;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing listens at these addresses: connecting would fail in another way. */
@DisplayName(
    "Settings that are valid individually but not together are reported at once, before connecting")
class ContradictionsTest {
  private static final String NODES = "redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3";

  private static LockSettings settings(String text) throws Exception {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return LockSettings.of(properties);
  }

  /** The problems reported by {@code check}, and likewise by {@code open}. */
  private static List<String> refused(String text) throws Exception {
    LockSettings settings = settings(text);
    String checked =
        assertThrows(
                LockConfigurationException.class, () -> LockManager.opener(settings).check(), text)
            .getMessage();
    assertEquals(
        checked,
        assertThrows(LockConfigurationException.class, () -> LockManager.open(settings))
            .getMessage());
    return checked.lines().toList();
  }

  private static void assertRefused(String text, String... beginnings) throws Exception {
    List<String> lines = refused(text);
    for (String beginning : beginnings) {
      assertTrue(lines.stream().anyMatch(line -> line.startsWith(beginning)), () -> "" + lines);
    }
    assertEquals(beginnings.length, lines.size(), lines::toString);
  }

  @Test
  @DisplayName(
      "Every backend on Redis: login, TLS and its files, the URI, and a wrong value besides")
  void redis() throws Exception {
    for (String backend : List.of("redis-set", "redis-setnx", "redisson")) {
      assertRefused(
          "lock.backend = "
              + backend
              + "\nlock.lease = soon\nlock.redis.username = me\n"
              + "lock.redis.uri = redis://127.0.0.1:1\nlock.redis.tls.verify = none\n"
              + "lock.redis.tls.key-file = /none.pem\n",
          "lock.lease = 'soon' (properties) is invalid",
          "lock.redis.username = 'me' (properties) needs lock.redis.password",
          "lock.redis.tls.verify (properties) is set, but lock.redis.uri does not ask for TLS",
          "lock.redis.tls.key-file (properties) is set, but lock.redis.uri does not ask for TLS",
          "lock.redis.tls.key-file = '/none.pem' (properties) needs"
              + " lock.redis.tls.certificate-file",
          "lock.redis.tls.key-file = '/none.pem' (properties): there is no such file");
      assertRefused(
          "lock.backend = "
              + backend
              + "\nlock.redis.uri = http://127.0.0.1:1\n"
              + "lock.redis.username = me\n",
          "lock.redis.uri = 'http://127.0.0.1:1' (properties) is invalid",
          "lock.redis.username = 'me' (properties) needs lock.redis.password");
      assertRefused(
          "lock.backend = " + backend + "\nlock.redis.cluster = true\nlock.redis.database = 3\n",
          "lock.redis.database = '3' (properties): a cluster has database 0 alone");
    }
  }

  @Test
  @DisplayName(
      "redlock: no nodes, a duplicate, another backend for them, and the refusals of"
          + " each node")
  void redlock() throws Exception {
    assertRefused(
        "lock.backend = redlock\nlock.redlock.node-backend = none\nlock.label = a b\n",
        "lock.label = 'a b' (properties) is invalid",
        "lock.redlock.nodes is not set",
        "lock.redlock.node-backend = 'none' (properties) is not on the path");
    assertRefused(
        "lock.backend = redlock\nlock.redis.username = me\n"
            + "lock.redlock.nodes = redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:1\n",
        "lock.redlock.nodes (properties) names one node twice",
        "lock.redis.username = 'me' (properties) needs lock.redis.password");
    assertRefused(
        "lock.backend = redlock\nlock.redis.cluster = true\nlock.redlock.nodes = " + NODES,
        "lock.redis.cluster = 'true' (properties): a node of a quorum is one server");
    assertRefused(
        "lock.backend = redlock\nlock.redlock.node-backend = redisson\nlock.redis.cluster = true\n"
            + "lock.redisson.mode = fair\nlock.redisson.renewal = watchdog\n"
            + "lock.redlock.nodes = "
            + NODES,
        "lock.redis.cluster = 'true' (properties): a node of a quorum is one server",
        "lock.redisson.mode = 'fair' (properties): the nodes of a quorum have no common queue",
        "lock.redisson.renewal = 'watchdog' (properties): a watchdog renews at one node");
  }

  @Test
  @DisplayName("The order of arrival where there is no line of ours")
  void fair() throws Exception {
    assertRefused(
        "lock.backend = redisson\nlock.redis.fair = true\n",
        "lock.redis.fair = 'true' (properties): this backend is fair by Redisson's own queue, with"
            + " lock.redisson.mode = fair");
    assertRefused(
        "lock.backend = redis-setnx\nlock.redis-setnx.scheme = yii2\nlock.redis.fair = true\n",
        "lock.redis.fair = true needs lock.redis-setnx.scheme = setnx-script: yii2 has no line");
    assertRefused(
        "lock.backend = redis-set\nlock.redis-set.mode = plain\nlock.redis.fair = true\n",
        "lock.redis.fair = true needs lock.redis-set.mode = fenced");
    assertRefused(
        "lock.backend = redlock\nlock.redis-set.mode = plain\nlock.redis.fair = true\n"
            + "lock.redlock.nodes = "
            + NODES,
        "lock.redis.fair = true needs lock.redis-set.mode = fenced");
    assertRefused(
        "lock.backend = redlock\nlock.redlock.node-backend = redisson\nlock.redis.fair = true\n"
            + "lock.redlock.nodes = "
            + NODES,
        "lock.redis.fair = 'true' (properties): this backend is fair by Redisson's own queue, with"
            + " lock.redisson.mode = fair, and not at all as a node of a quorum");
  }

  @Test
  @DisplayName("redisson: a missing or unreadable file, and its required content")
  void redissonFile(@TempDir Path folder) throws Exception {
    assertRefused(
        "lock.backend = redisson\nlock.redisson.config = /none.yaml\n"
            + "lock.redis.client-name = me\nlock.redis.database = 3\n",
        "lock.redisson.config = '/none.yaml' (properties): there is no such file",
        "lock.redis.client-name (properties) is set, but the client is made by",
        "lock.redis.database (properties) is set, but the client is made by");
    Path file = Files.writeString(folder.resolve("redisson.yaml"), "singleServerConfig: [\n");
    assertRefused(
        "lock.backend = redisson\nlock.redisson.config = " + file,
        "lock.redisson.config = '" + file + "' (properties) can't be read: ");
  }

  @Test
  @DisplayName(
      "With Guice they are reported with file and line when the injector is created,"
          + " also lazily")
  void guice() {
    CreationException refused =
        assertThrows(
            CreationException.class,
            () ->
                Guice.createInjector(
                    LeaseholdModule.of(
                            ConfigFactory.parseString(
                                """
                                lock.backend = redis-set
                                lock.leese = 3s
                                lock.redis.username = me
                                """))
                        .lazily()));
    String message = refused.getMessage();
    assertEquals(2, refused.getErrorMessages().size(), message);
    assertTrue(message.contains("lock.redis.username = 'me' (String: 3) needs"), message);
  }

  @Test
  @DisplayName("Valid input is not refused")
  void right() throws Exception {
    for (String backend : List.of("redis-set", "redis-setnx", "redisson")) {
      LockManager.opener(
              settings("lock.backend = " + backend + "\nlock.redis.uri = redis://127.0.0.1:1\n"))
          .check();
    }
    LockManager.opener(settings("lock.backend = redlock\nlock.redlock.nodes = " + NODES)).check();
  }
}
