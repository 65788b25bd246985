package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * In this module, since it needs all backends. With {@code -Dreadme.update}, writes the file
 * instead of comparing it.
 */
@DisplayName("Editors complete the settings that the code reads")
class MetadataTest {
  private static final String NAME = "META-INF/spring-configuration-metadata.json";
  private static final String CHOICE = "one of ";

  /** Other values are valid, too. */
  private static final String ANY = ",\n      \"providers\": [{ \"name\": \"any\" }]";

  @Test
  @DisplayName("Each setting of each backend has its property, type, default and meaning")
  void complete() throws IOException {
    List<Setting<?>> settings =
        LockSettings.known().stream().sorted(Comparator.comparing(Setting::key)).toList();
    for (String prefix :
        List.of("redis.", "redis-set.", "redis-setnx.", "redisson.", "redlock.", "memory.")) {
      assertTrue(settings.stream().anyMatch(s -> s.key().startsWith("lock." + prefix)), prefix);
    }
    String json =
        "{\n  \"properties\": [\n"
            + own(OnFlag.Locks.ENABLED)
            + ",\n"
            + own(OpenedLater.WHEN)
            + ",\n"
            + own(
                "leasehold.locks",
                "java.util.Map<java.lang.String,java.lang.String>",
                "Named locks: below an id stand its kind (lock, read-write, semaphore, latch),"
                    + " name,"
                    + " permits and options.",
                "")
            + ",\n"
            + own(
                "management.health.leasehold.enabled",
                "java.lang.Boolean",
                "Whether the health indicator asks the store of the locks.",
                "true")
            + ",\n"
            + Stream.concat(MeterSettings.ALL.stream(), settings.stream())
                .map(MetadataTest::own)
                .collect(Collectors.joining(",\n"))
            + "\n  ],\n  \"hints\": [\n"
            + Stream.concat(
                    Stream.of(
                        hint("lock.open", choices(OpenedLater.WHEN), ""),
                        hint("lock.backend", backends(), ANY)),
                    settings.stream()
                        .filter(s -> s.type().startsWith(CHOICE) && !type(s).endsWith("Boolean"))
                        .map(s -> hint(s.key(), choices(s), "")))
                .collect(Collectors.joining(",\n"))
            + "\n  ]\n}\n";
    Path file =
        Repository.folder("lock-spring-boot-starter").resolve("src/main/resources").resolve(NAME);
    if (System.getProperty("readme.update") != null) {
      Files.writeString(file, json);
      return;
    }
    assertEquals(json, Files.readString(file));
  }

  private static String type(Setting<?> setting) {
    String type = setting.type();
    if (type.startsWith("duration ")) {
      return "java.time.Duration";
    }
    if (type.startsWith("whole number ")) {
      return "java.lang.Integer";
    }
    return type.equals("one of true, false") ? "java.lang.Boolean" : "java.lang.String";
  }

  private static String own(Setting<?> setting) {
    return own(
        EnvironmentSettings.property(setting.key()),
        type(setting),
        setting.meaning() + " Allowed: " + setting.type() + ".",
        setting.defaultText().orElse(""));
  }

  private static String own(String name, String type, String description, String defaults) {
    String value =
        type.endsWith("Boolean") || type.endsWith("Integer") ? defaults : quoted(defaults);
    return "    {\n      \"name\": "
        + quoted(name)
        + ",\n      \"type\": "
        + quoted(type)
        + ",\n      \"description\": "
        + quoted(description)
        + (defaults.isEmpty() ? "" : ",\n      \"defaultValue\": " + value)
        + "\n    }";
  }

  private static List<String> choices(Setting<?> setting) {
    return List.of(setting.type().substring(CHOICE.length()).split(", "));
  }

  /** The ids of Leasehold's backends; a custom backend's id is also valid. */
  private static List<String> backends() {
    return ServiceLoader.load(LockBackend.class).stream()
        .map(backend -> backend.get().id())
        .sorted()
        .toList();
  }

  private static String hint(String key, List<String> values, String more) {
    return "    {\n      \"name\": "
        + quoted(EnvironmentSettings.property(key))
        + ",\n      \"values\": ["
        + values.stream()
            .map(value -> "{ \"value\": " + quoted(value) + " }")
            .collect(Collectors.joining(", "))
        + "]"
        + more
        + "\n    }";
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
