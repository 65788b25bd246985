package dev.leasehold.lock;

import dev.leasehold.lock.internal.config.Discovery;
import dev.leasehold.lock.internal.config.MapSettings;
import dev.leasehold.lock.spi.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Settings as text by key, such as {@code lock.backend = redis-set}. Read-only and thread-safe.
 *
 * <p>What a key means, its type, default and range stand in its {@link Setting}. {@link #check}
 * reports every problem at once; after it, {@link #get} can't fail.
 */
public interface LockSettings {

  /** All keys that are set. */
  Set<String> keys();

  /** The text of a key, if it is set. */
  Optional<String> text(String key);

  /** Where a key was set, for messages: a file and line, an environment variable, "a map". */
  String origin(String key);

  /**
   * The value of a setting, or its default.
   *
   * @throws LockConfigurationException if the text is not of the setting's type or range, or if it
   *     is not set and has no default
   */
  default <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () ->
                new LockConfigurationException(
                    setting.key() + " is not set: " + setting.meaning()));
  }

  /**
   * The value of a setting, or its default, or empty if it has none.
   *
   * @throws LockConfigurationException if the text is not of the setting's type or range
   */
  default <T> Optional<T> find(Setting<T> setting) {
    return text(setting.key())
        .map(text -> setting.parse(text, origin(setting.key())))
        .or(setting::defaultValue);
  }

  /**
   * Checks that every key below {@code lock.} is known and every value right. The settings of those
   * of Leasehold's backends that are not in use are left alone, so that one file serves them all.
   *
   * @throws LockConfigurationException that lists all problems, one a line, each with key, value,
   *     origin and what is allowed
   */
  default void check(Collection<? extends Setting<?>> known) {
    MapSettings.check(this, known);
  }

  /** Settings from a map, copied. */
  static LockSettings of(Map<String, String> settings) {
    return new MapSettings(settings, "a map");
  }

  /** Settings from properties, copied. */
  static LockSettings of(Properties properties) {
    return MapSettings.of(properties);
  }

  /**
   * Every setting there is: those that all backends have in common, and those of each backend on
   * the path.
   */
  static List<Setting<?>> known() {
    return Discovery.known();
  }

  /**
   * Settings from environment variables: {@code LOCK_REDIS_URI} is {@code lock.redis.uri}, {@code
   * LOCK_REDIS_SET_WAIT_TIMEOUT} is {@code lock.redis-set.wait-timeout}. What begins with {@code
   * LOCK_} and stands for no setting of a backend on the path is an error of {@link #check}.
   *
   * @param environment usually {@link System#getenv()}
   */
  static LockSettings ofEnvironment(Map<String, String> environment) {
    return ofEnvironment(environment, known());
  }

  /**
   * As {@link #ofEnvironment(Map)}, where an underscore stands for a dot or a hyphen as in these
   * settings.
   *
   * @param environment usually {@link System#getenv()}
   */
  static LockSettings ofEnvironment(
      Map<String, String> environment, Collection<? extends Setting<?>> known) {
    return MapSettings.ofEnvironment(environment, known);
  }
}
