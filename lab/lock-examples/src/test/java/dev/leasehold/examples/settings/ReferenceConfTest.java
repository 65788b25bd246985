package dev.leasehold.examples.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import dev.leasehold.guice.ConfigSettings;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code -Dreadme.update}, writes the files instead of comparing them. */
@DisplayName("Each module's reference.conf and the code's settings are one")
class ReferenceConfTest {

  static List<ReferenceConf> modules() {
    return ReferenceConf.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("The file has each setting of its module with meaning, range, unit and default")
  void written(ReferenceConf conf) throws IOException {
    if (updating()) {
      Files.createDirectories(conf.file().getParent());
      Files.writeString(conf.file(), conf.text());
      return;
    }
    assertFalse(conf.settings().isEmpty());
    assertEquals(
        conf.text(),
        conf.shipped(),
        () ->
            conf.file()
                + ": write it with: mvn test -pl lab/lock-examples -am -Dtest=ReferenceConfTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dreadme.update");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("Typesafe Config reads from each file exactly the keys of the code")
  void parsed(ReferenceConf conf) {
    assumeFalse(updating());
    Map<String, ConfigValue> values = leaves(ConfigFactory.parseFile(conf.file().toFile()));
    assertParity(conf.settings(), values);
  }

  @Test
  @DisplayName("All of them are found on the path and merge to the settings of all modules")
  void merged() {
    assumeFalse(updating(), "the files on the path are older");
    Map<String, ConfigValue> values = leaves(ConfigFactory.defaultReference().withOnlyPath("lock"));
    values.keySet().removeIf(key -> key.equals("lock.locks"));
    assertParity(LockSettings.known(), values);
    for (LockBackend backend : ReferenceConf.backends()) {
      assertTrue(
          values.keySet().containsAll(backend.settings().stream().map(Setting::key).toList()),
          backend::id);
    }
  }

  @Test
  @DisplayName("They set nothing: a setting at its default counts as unset")
  void setsNothing() {
    assertEquals(Set.of(), ConfigSettings.of(ConfigFactory.defaultReference()).keys());
  }

  @Test
  @DisplayName("The comparison finds another default, a missing key and one too many")
  void canFail() {
    Setting<?> a = Setting.optionalText("lock.a", "A.");
    Setting<?> b = Setting.text("lock.b", "x", "B.");
    Config right =
        config("# A.\n# Allowed: text.\nlock.a = null\n# B.\n# Allowed: text.\nlock.b = x");
    assertEquals(List.of(), differences(List.of(a, b), leaves(right)));
    Config wrong = config("# A.\n# Allowed: text.\nlock.a = 1\n# C.\nlock.b = x\nlock.c = 3");
    assertEquals(
        List.of(
            "lock.a is Optional[1] and not Optional.empty",
            "lock.b is explained by [C.] and not by [B., Allowed: text.]",
            "lock.c is no setting"),
        differences(List.of(a, b), leaves(wrong)));
    assertEquals(
        List.of("lock.a is missing", "lock.b is missing"),
        differences(List.of(a, b), leaves(config(""))));
  }

  private static boolean updating() {
    return System.getProperty("readme.update") != null;
  }

  private static Config config(String text) {
    return ConfigFactory.parseString(text);
  }

  private static void assertParity(List<Setting<?>> settings, Map<String, ConfigValue> values) {
    assertEquals(List.of(), differences(settings, values));
  }

  private static List<String> differences(
      List<Setting<?>> settings, Map<String, ConfigValue> values) {
    Map<String, Setting<?>> byKey =
        settings.stream().collect(Collectors.toMap(Setting::key, setting -> setting));
    Set<String> keys = new TreeSet<>(byKey.keySet());
    keys.addAll(values.keySet());
    return keys.stream()
        .flatMap(
            key -> difference(key, Optional.ofNullable(byKey.get(key)), values.get(key)).stream())
        .toList();
  }

  private static Optional<String> difference(
      String key, Optional<Setting<?>> setting, ConfigValue value) {
    if (setting.isEmpty()) {
      return Optional.of(key + " is no setting");
    } else if (value == null) {
      return Optional.of(key + " is missing");
    }
    Optional<String> text = Optional.ofNullable(value.unwrapped()).map(String::valueOf);
    if (!text.equals(setting.get().defaultText())) {
      return Optional.of(key + " is " + text + " and not " + setting.get().defaultText());
    }
    List<String> explained = List.of(setting.get().meaning(), ReferenceConf.allowed(setting.get()));
    List<String> comments =
        value.origin().comments().stream().map(String::strip).filter(c -> !c.isEmpty()).toList();
    return comments.equals(explained)
        ? Optional.empty()
        : Optional.of(key + " is explained by " + comments + " and not by " + explained);
  }

  /** All values, including null. */
  private static Map<String, ConfigValue> leaves(Config config) {
    Map<String, ConfigValue> leaves = new TreeMap<>();
    collect("", config.root(), leaves);
    return leaves;
  }

  private static void collect(String path, ConfigObject object, Map<String, ConfigValue> leaves) {
    object.forEach(
        (key, value) -> {
          String full = path.isEmpty() ? key : path + "." + key;
          if (value instanceof ConfigObject inner && !inner.isEmpty()) {
            collect(full, inner, leaves);
          } else {
            leaves.put(full, value);
          }
        });
  }
}
