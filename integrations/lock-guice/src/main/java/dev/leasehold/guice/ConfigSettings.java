package dev.leasehold.guice;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings from Typesafe Config: every value below a section, under its setting's key ({@code
 * lock.lease}), with file and line as its origin. Immutable and thread-safe.
 *
 * <p>Numbers and words are read literally, lists as comma-separated texts, and {@code null} as not
 * set. A duration needs a unit: {@code 30s}, {@code "30 seconds"}.
 *
 * <p>A value in a {@code reference.conf} that equals the setting's default counts as not set: such
 * a file documents the settings, and only values that a user wrote count in checks of combinations.
 */
public final class ConfigSettings implements LockSettings {
  /** The default section. */
  public static final String SECTION = "lock";

  private static final String REFERENCE = "reference.conf";

  /** An empty section has a meaning only here: a lock with the defaults. */
  private static final String NAMED = "lock.locks";

  private final String section;
  private final Map<String, Entry> entries;

  private record Entry(String path, String text, ConfigOrigin origin) {}

  private ConfigSettings(String section, Map<String, Entry> entries) {
    this.section = section;
    this.entries = entries;
  }

  /**
   * Settings from the section {@code lock}.
   *
   * @param config the whole configuration, resolved, as from {@code ConfigFactory.load()}
   * @throws LockConfigurationException if the section is not an object or not resolved; names file
   *     and line
   */
  public static ConfigSettings of(Config config) {
    return of(config, SECTION);
  }

  /**
   * Settings from another section, for a further manager: {@code billing-lock.lease} is read as
   * {@code lock.lease}.
   *
   * @param section path of the section, which may be missing if all defaults apply
   * @throws LockConfigurationException as {@link #of(Config)}
   */
  public static ConfigSettings of(Config config, String section) {
    Map<String, Entry> entries = new TreeMap<>();
    try {
      if (config.hasPath(section)) {
        ConfigValue value = config.getValue(section);
        if (!(value instanceof ConfigObject object)) {
          throw new LockConfigurationException(
              section
                  + " ("
                  + value.origin().description()
                  + ") is no section: write { } after it");
        }
        collect(SECTION, section, object, entries);
      }
    } catch (ConfigException e) {
      throw new LockConfigurationException("the section " + section + ": " + e.getMessage(), e);
    }
    Map<String, Setting<?>> known =
        LockSettings.known().stream().collect(Collectors.toMap(Setting::key, s -> s));
    entries.entrySet().removeIf(entry -> isDefault(entry.getValue(), known.get(entry.getKey())));
    return new ConfigSettings(section, entries);
  }

  private static void collect(
      String key, String path, ConfigObject object, Map<String, Entry> entries) {
    for (Map.Entry<String, ConfigValue> member : object.entrySet()) {
      String innerKey = key + "." + member.getKey();
      String innerPath = path + "." + ConfigUtil.joinPath(member.getKey());
      ConfigValue value = member.getValue();
      if (value instanceof ConfigObject inner && !inner.isEmpty()) {
        collect(innerKey, innerPath, inner, entries);
      } else if (value instanceof ConfigObject ? key.equals(NAMED) : value.unwrapped() != null) {
        Entry entry = new Entry(innerPath, text(value), value.origin());
        Entry other = entries.put(innerKey, entry);
        if (other != null) {
          throw new LockConfigurationException(
              innerKey
                  + " is set twice: as "
                  + other.path()
                  + " ("
                  + other.origin().description()
                  + ") and as "
                  + innerPath
                  + " ("
                  + value.origin().description()
                  + ")");
        }
      }
    }
  }

  private static String text(ConfigValue value) {
    if (value instanceof ConfigList list) {
      return list.stream().map(ConfigSettings::text).collect(Collectors.joining(","));
    }
    return value instanceof ConfigObject ? "" : String.valueOf(value.unwrapped());
  }

  private static boolean isDefault(Entry entry, @Nullable Setting<?> setting) {
    return setting != null
        && REFERENCE.equals(entry.origin().resource())
        && setting.defaultText().equals(Optional.of(entry.text()));
  }

  @Override
  public Set<String> keys() {
    return Collections.unmodifiableSet(entries.keySet());
  }

  @Override
  public Optional<String> text(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::text);
  }

  /** File and line, and the path in the file if it differs from the key. */
  @Override
  public String origin(String key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return "section " + section;
    }
    String where = entry.origin().description();
    return entry.path().equals(key) ? where : where + ", as " + entry.path();
  }

  @Override
  public String toString() {
    return "ConfigSettings[" + section + ", " + entries.keySet() + "]";
  }
}
