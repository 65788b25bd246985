package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("ConfigSettings: Typesafe Config as settings, with file and line")
class ConfigSettingsTest {
  @TempDir Path folder;

  private static Config parsed(String text) {
    return ConfigFactory.parseString(text).resolve();
  }

  private static String refusal(LockSettings settings) {
    return String.valueOf(
        assertThrows(LockConfigurationException.class, () -> LockManager.opener(settings).check())
            .getMessage());
  }

  @Test
  @DisplayName("Words, numbers, flags, lists and units as written; null is not set")
  void values() {
    ConfigSettings settings =
        ConfigSettings.of(
            parsed(
                """
                lock {
                  lease = 30 seconds
                  hand-over.times = 5
                  redis { cluster = true, nodes = [a, "b", 3] }
                  label = null
                  redis.uri = "redis://"${host}
                }
                host = db
                other.key = 1
                """));
    assertEquals(Optional.of("30 seconds"), settings.text("lock.lease"));
    assertEquals(Optional.of("5"), settings.text("lock.hand-over.times"));
    assertEquals(Optional.of("true"), settings.text("lock.redis.cluster"));
    assertEquals(Optional.of("a,b,3"), settings.text("lock.redis.nodes"));
    assertEquals(Optional.of("redis://db"), settings.text("lock.redis.uri"));
    assertEquals(
        Set.of(
            "lock.lease",
            "lock.hand-over.times",
            "lock.redis.cluster",
            "lock.redis.nodes",
            "lock.redis.uri"),
        settings.keys());
  }

  @Test
  @DisplayName("All problems are reported at once, each with file, line and key")
  void fileAndLine() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("application.conf"),
            """
            lock {
              lease = 30 parsecs

              laese = 30s
              redis.allow-eviction = perhaps
              renewal = automatic
              command-timeout = 300
            }
            """);
    String message = refusal(ConfigSettings.of(ConfigFactory.parseFile(file.toFile())));
    assertEquals(4, message.lines().count(), message);
    for (String part :
        new String[] {
          "lock.lease = '30 parsecs' (" + file + ": 2) is invalid",
          "lock.laese (" + file + ": 4) is not a known setting; did you mean lock.lease?",
          "lock.redis.allow-eviction = 'perhaps' (" + file + ": 5) is invalid; expected: one of",
          "lock.command-timeout = '300' (" + file + ": 7) is invalid",
          "(the unit is missing: ms, s, m, h or d)"
        }) {
      assertTrue(message.contains(part), () -> part + " is not in\n" + message);
    }
  }

  @Test
  @DisplayName("Another section is read under the settings' keys, and named in messages")
  void section() {
    ConfigSettings settings =
        ConfigSettings.of(
            parsed("billing.lock { lease = soon, \"re.newal\" = x }"), "billing.lock");
    String message = refusal(settings);
    assertTrue(
        message.contains("lock.lease = 'soon' (String: 1, as billing.lock.lease) is invalid"),
        message);
    assertTrue(
        message.contains("lock.re.newal (String: 1, as billing.lock.\"re.newal\")"), message);
    assertEquals(Set.of(), ConfigSettings.of(parsed("a = 1"), "billing.lock").keys());
  }

  @Test
  @DisplayName("A missing section, a duplicate key and an unresolved value are refused")
  void notReadable() {
    String none =
        assertThrows(
                LockConfigurationException.class, () -> ConfigSettings.of(parsed("\nlock = redis")))
            .getMessage();
    assertTrue(none.contains("lock (String: 2) is no section"), none);
    String twice =
        assertThrows(
                LockConfigurationException.class,
                () -> ConfigSettings.of(parsed("lock { a.b = 1\n\"a.b\" = 2 }")))
            .getMessage();
    assertTrue(twice.contains("lock.a.b is set twice"), twice);
    assertTrue(twice.contains("String: 1") && twice.contains("String: 2"), twice);
    assertThrows(
        LockConfigurationException.class,
        () -> ConfigSettings.of(ConfigFactory.parseString("lock.lease = ${nowhere}")));
  }

  @Test
  @DisplayName("A default in reference.conf is not set; any other value is")
  void reference() {
    ConfigSettings defaults = ConfigSettings.of(ConfigFactory.defaultReference());
    assertEquals(Set.of(), defaults.keys());
    LockManager.opener(defaults).check();
    ConfigSettings same = ConfigSettings.of(parsed("lock.lease = 30s"));
    assertEquals(Set.of("lock.lease"), same.keys(), "written by a user");
  }

  @Test
  @DisplayName("An application's reference.conf may say otherwise")
  void ofTheApplication() throws Exception {
    Files.writeString(
        folder.resolve("reference.conf"), "lock { lease = 7s, renewal = automatic, x = 1 }");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      ConfigSettings settings =
          ConfigSettings.of(ConfigFactory.parseResources(loader, "reference.conf"));
      assertEquals(Set.of("lock.lease", "lock.x"), settings.keys());
    }
  }
}
