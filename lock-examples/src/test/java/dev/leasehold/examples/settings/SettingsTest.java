package dev.leasehold.examples.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.internal.EngineSettings;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The README lists every setting with its default, and no other")
class SettingsTest {

  @Test
  @DisplayName("README.md and the code agree")
  void readme() throws IOException {
    Path readme = Repository.root().resolve("README.md");
    assumeTrue(Files.isRegularFile(readme), "there is no README.md yet");
    List<String> differences = SettingsTable.differences(Files.readString(readme), all());
    assertEquals(List.of(), differences, () -> String.join("\n", differences));
  }

  @Test
  @DisplayName("Every setting explains itself, and its default is allowed")
  void explained() {
    for (Setting<?> setting : all()) {
      assertFalse(setting.meaning().isBlank(), setting::key);
      assertFalse(setting.type().isBlank(), setting::key);
      setting.defaultValue();
    }
  }

  @Test
  @DisplayName("A row that is missing, wrong or invented is found")
  void canFail() {
    List<Setting<?>> settings =
        List.of(
            Setting.duration(
                "lock.a", Duration.ofSeconds(30), Duration.ZERO, Duration.ofDays(1), "A."),
            Setting.integer("lock.b", 3, 0, 9, "B."),
            Setting.optionalText("lock.c", "C."),
            Setting.text("lock.d", "x", "D."));
    String page =
        """
        | key | default | meaning |
        |---|---|---|
        | `lock.a` | `30s` | any words |
        | `lock.b` | `4` | wrong |
        | `lock.c` |  | none |
        | `lock.e` | `1` | invented |
        """;
    assertEquals(
        List.of(
            "missing, or with another default: | `lock.b` | `3` | whole number from 0 to 9 | B. |",
            "missing, or with another default: | `lock.d` | `x` | text | D. |",
            "no such setting: lock.e"),
        SettingsTable.differences(page, settings));
  }

  private static List<Setting<?>> all() {
    List<Setting<?>> settings = new ArrayList<>(EngineSettings.all());
    ServiceLoader.load(LockBackend.class).forEach(b -> settings.addAll(b.settings()));
    return settings;
  }
}
