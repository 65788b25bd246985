package dev.leasehold.lock.internal.config;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Settings held in a map; and the check that reports every problem at once.
 *
 * @param origins where a key was set
 */
public record MapSettings(Map<String, String> values, UnaryOperator<String> origins)
    implements LockSettings {
  private static final String PREFIX = "lock.";

  /** Copies the map. */
  public MapSettings {
    values = Map.copyOf(values);
  }

  /** Settings that all have one origin. */
  public MapSettings(Map<String, String> values, String source) {
    this(values, key -> source);
  }

  /** Copies properties, their defaults included. */
  public static LockSettings of(Properties properties) {
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    return new MapSettings(values, "properties");
  }

  /**
   * Selects the variables of known settings; unknown ones that begin with LOCK_ are kept as they
   * are.
   */
  public static LockSettings ofEnvironment(
      Map<String, String> environment, Collection<? extends Setting<?>> known) {
    Map<String, String> keysByVariable = new HashMap<>();
    known.forEach(s -> keysByVariable.put(variable(s.key()), s.key()));
    Map<String, String> values = new HashMap<>();
    Map<String, String> origins = new HashMap<>();
    environment.forEach(
        (variable, text) -> {
          if (variable.startsWith("LOCK_")) {
            String fallback = variable.toLowerCase(Locale.ROOT).replace('_', '.');
            String key = keysByVariable.getOrDefault(variable, fallback);
            values.put(key, text);
            origins.put(key, "the environment variable " + variable);
          }
        });
    return new MapSettings(values, key -> origins.getOrDefault(key, "the environment"));
  }

  private static String variable(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  @Override
  public Set<String> keys() {
    return values.keySet();
  }

  @Override
  public Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  @Override
  public String origin(String key) {
    return origins.apply(key);
  }

  /** One file may have settings of several backends: swapping the backend is swapping a jar. */
  private static boolean isOfAnAbsentBackend(String key, Set<String> known) {
    if (key.equals(KnownBackends.addressOfOneServer())
        && known.contains(KnownBackends.addressesOfAQuorum())) {
      return true; // for backends on one server
    }
    return KnownBackends.sections().stream()
        .anyMatch(
            section ->
                key.startsWith(section) && known.stream().noneMatch(k -> k.startsWith(section)));
  }

  /** Throws one exception that lists all errors in the settings. */
  public static void check(LockSettings settings, Collection<? extends Setting<?>> known) {
    Map<String, Setting<?>> byKey = new HashMap<>();
    Map<String, String> byVariable = new HashMap<>();
    known.forEach(
        s -> {
          byKey.put(s.key(), s);
          byVariable.put(variable(s.key()), s.key());
        });
    Problems problems = new Problems();
    for (String key : new TreeSet<>(settings.keys())) {
      Setting<?> setting = byKey.get(key);
      if (setting != null) {
        problems.check(() -> settings.find(setting));
      } else if (byVariable.containsKey(key)) {
        problems.add(
            key
                + " ("
                + settings.origin(key)
                + ") is the environment variable of "
                + byVariable.get(key)
                + ", which LockSettings.ofEnvironment reads");
      } else if (key.startsWith(PREFIX) && !isOfAnAbsentBackend(key, byKey.keySet())) {
        problems.add(
            key
                + " ("
                + settings.origin(key)
                + ") is not a known setting; "
                + DidYouMean.to(key, byKey.keySet())
                    .map(near -> "did you mean " + near + "?")
                    .orElseGet(
                        () -> "known are " + String.join(", ", new TreeSet<>(byKey.keySet()))));
      }
    }
    problems.throwIfAny();
  }

  /** The keys alone: a value may be a password. */
  @Override
  public String toString() {
    return "LockSettings" + new TreeSet<>(values.keySet());
  }
}
