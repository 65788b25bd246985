package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * Settings from the application's environment: {@code leasehold.lease} is read as {@code
 * lock.lease}, in any spelling that Spring Boot allows ({@code LEASEHOLD_COMMANDTIMEOUT}), with
 * placeholders resolved, and file and line as its origin. Immutable and thread-safe.
 */
final class EnvironmentSettings implements LockSettings {
  /** Prefix of all properties of the starter. */
  static final String PREFIX = "leasehold.";

  /** Prefix of Leasehold's own settings. */
  static final String ROOT = "lock.";

  /** The starter's own properties, without word separators; all others are Leasehold's. */
  private static final Set<String> OWN = own();

  /** System properties of the test kit, which may be used in the same JVM. */
  private static final Set<String> KIT = Set.of("lanes", "rules", "seed", "server", "timescale");

  private final Map<String, String> texts;
  private final Map<String, String> origins;

  private EnvironmentSettings(Map<String, String> texts, Map<String, String> origins) {
    this.texts = texts;
    this.origins = origins;
  }

  /**
   * Reads an environment.
   *
   * @throws IllegalArgumentException if a placeholder cannot be resolved
   */
  static EnvironmentSettings of(Environment environment) {
    Binder binder = Binder.get(environment);
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> origins = new TreeMap<>();
    Map<String, String> known = new LinkedHashMap<>();
    for (Setting<?> setting : LockSettings.known()) {
      String property = property(setting.key());
      known.put(uniform(property), property);
      binder
          .bind(property, String.class)
          .ifBound(
              text -> {
                texts.put(setting.key(), text);
                origins.put(setting.key(), origin(environment, property));
              });
    }
    // Unknown properties, to be reported, and the named locks, whose ids are arbitrary.
    binder
        .bind("leasehold", Bindable.mapOf(String.class, String.class))
        .orElse(Map.of())
        .forEach(
            (name, text) -> {
              if (!OWN.contains(uniform(name))
                  && !KIT.contains(name)
                  && !known.containsKey(uniform(PREFIX + name))) {
                texts.put(ROOT + name, text);
                origins.put(ROOT + name, origin(environment, PREFIX + name));
              }
            });
    return new EnvironmentSettings(
        Collections.unmodifiableMap(texts), Collections.unmodifiableMap(origins));
  }

  private static Set<String> own() {
    return Stream.concat(
            Stream.of(OnFlag.Locks.ENABLED, OpenedLater.WHEN), MeterSettings.ALL.stream())
        .map(setting -> uniform(setting.key().substring(ROOT.length())))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The value of one of the starter's own settings, or its default.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if it is invalid
   */
  static <T> T get(Environment environment, Setting<T> setting) {
    String property = property(setting.key());
    return Binder.get(environment)
        .bind(property, String.class)
        .map(text -> setting.parse(text, origin(environment, property)))
        .orElseGet(() -> setting.defaultValue().orElseThrow());
  }

  /** Replaces setting keys in a message by property names. */
  static String inOurWords(String message) {
    return message.replaceAll("(?<![\\w.-])lock\\.(?=[a-z])", PREFIX);
  }

  /** The property of a setting. */
  static String property(String key) {
    return PREFIX + key.substring(ROOT.length());
  }

  private static String uniform(String name) {
    return name.replaceAll("[^A-Za-z0-9.]", "").toLowerCase(Locale.ROOT);
  }

  /** Where a property is set, such as file and line. */
  static String origin(Environment environment, String property) {
    if (ConfigurationPropertyName.isValid(property)) {
      ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
      for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
        ConfigurationProperty found = source.getConfigurationProperty(name);
        if (found != null) {
          return found.getOrigin() == null ? property : String.valueOf(found.getOrigin());
        }
      }
    }
    return property;
  }

  @Override
  public Set<String> keys() {
    return texts.keySet();
  }

  @Override
  public Optional<String> text(String key) {
    return Optional.ofNullable(texts.get(key));
  }

  @Override
  public String origin(String key) {
    return origins.getOrDefault(key, "the environment");
  }

  @Override
  public String toString() {
    return "EnvironmentSettings[" + texts.keySet() + "]";
  }
}
