package dev.leasehold.examples.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.internal.config.EngineSettings;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** With {@code -Dreadme.update}, writes the page's section instead of comparing it. */
@DisplayName("The page of settings lists every one with its default, and no other")
class SettingsTest {
  /** Keys with the same meaning in every backend that has them. */
  private static final String SHARED = "lock.redis.";

  @Test
  @DisplayName("docs/settings.md and the code agree")
  void page() throws IOException {
    Path file = Repository.root().resolve("docs/settings.md");
    String page = Files.readString(file);
    String updated = SettingsTable.updated(page, all());
    if (System.getProperty("readme.update") != null) {
      Files.writeString(file, updated);
      return;
    }
    assertEquals(
        updated,
        page,
        "write it with: mvn test -pl lab/lock-examples -am -Dtest=SettingsTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dreadme.update");
  }

  @Test
  @DisplayName("Every setting explains itself, its default is allowed, and no key is used twice")
  void explained() {
    Map<String, Setting<?>> seen = new LinkedHashMap<>();
    all()
        .values()
        .forEach(
            list ->
                list.forEach(
                    setting -> {
                      assertFalse(setting.meaning().isBlank(), setting::key);
                      assertFalse(setting.type().isBlank(), setting::key);
                      assertTrue(setting.key().startsWith("lock."), setting::key);
                      setting.defaultValue();
                      assertNull(seen.put(setting.key(), setting), setting::key);
                    }));
  }

  @Test
  @DisplayName("The section is written as the settings are, and only between its marks")
  void written() {
    Map<String, List<Setting<?>>> settings =
        Map.of(
            "Any",
            List.of(
                Setting.duration(
                    "lock.a", Duration.ofSeconds(30), Duration.ZERO, Duration.ofDays(1), "A|B."),
                Setting.optionalText("lock.b", "B.")));
    String page = "x\n<!-- settings:begin -->\nold\n<!-- settings:end -->\ny\n";
    assertEquals(
        """
        x
        <!-- settings:begin -->

        | Any | Default | Allowed | Meaning |
        |---|---|---|---|
        | `lock.a` | `30s` | duration from 0ms to 1d | A\\|B. |
        | `lock.b` |  | text | B. |

        <!-- settings:end -->
        y
        """,
        SettingsTable.updated(page, settings));
    assertThrows(IllegalArgumentException.class, () -> SettingsTable.updated("no marks", settings));
  }

  private static Map<String, List<Setting<?>>> all() {
    Map<String, List<Setting<?>>> settings = new LinkedHashMap<>();
    settings.put("Every backend", EngineSettings.all());
    Map<String, Setting<?>> shared = new LinkedHashMap<>();
    Map<String, List<Setting<?>>> own = new LinkedHashMap<>();
    ServiceLoader.load(LockBackend.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .forEach(
            backend -> {
              Map<Boolean, List<Setting<?>>> parts =
                  backend.settings().stream()
                      .collect(Collectors.partitioningBy(s -> s.key().startsWith(SHARED)));
              parts.get(true).forEach(s -> shared.put(s.key(), s));
              // A quorum also uses its nodes' settings, which are listed under the nodes' backend.
              own.put(
                  "`" + backend.id() + "`",
                  parts.get(false).stream()
                      .filter(s -> s.key().startsWith("lock." + backend.id() + "."))
                      .toList());
            });
    settings.put("Every backend on Redis", List.copyOf(shared.values()));
    settings.putAll(own);
    return settings;
  }
}
