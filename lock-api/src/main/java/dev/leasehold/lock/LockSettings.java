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
 * Settings, as text by key: {@code lock.backend = redis-set}. Read-only and thread-safe.
 *
 * <p>The {@link Setting} of a key defines its meaning, type, default and range. {@link #check}
 * reports every problem at once; once it passes, {@link #get} of a setting that is set or has a
 * default cannot fail.
 */
public interface LockSettings {

  /** All keys that are set. */
  Set<String> keys();

  /** The text of a key, if it is set. */
  Optional<String> text(String key);

  /** Where a key was set, for messages: a file and line, an environment variable or "a map". */
  String origin(String key);

  /**
   * The value of a setting, or its default.
   *
   * @throws LockConfigurationException if the text is not of the setting's type or range, or if the
   *     setting is absent and has no default
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
   * Checks that every key below {@code lock.} is known and every value is valid. Settings of
   * Leasehold backends that are not in use are ignored, so that one file can serve all backends.
   *
   * @throws LockConfigurationException that lists all problems, one per line, each with key, value,
   *     origin and the values allowed
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

  /** All known settings: those common to all backends, and those of each backend on the path. */
  static List<Setting<?>> known() {
    return Discovery.known();
  }

  /**
   * Settings from environment variables: {@code LOCK_REDIS_URI} is {@code lock.redis.uri}, {@code
   * LOCK_REDIS_SET_WAIT_TIMEOUT} is {@code lock.redis-set.wait-timeout}. {@link #check} reports a
   * variable that begins with {@code LOCK_} but matches no setting of a backend on the path.
   *
   * @param environment usually {@link System#getenv()}
   */
  static LockSettings ofEnvironment(Map<String, String> environment) {
    return ofEnvironment(environment, known());
  }

  /**
   * As {@link #ofEnvironment(Map)}, with these settings as the known ones, which determine whether
   * an underscore stands for a dot or a hyphen.
   *
   * @param environment usually {@link System#getenv()}
   */
  static LockSettings ofEnvironment(
      Map<String, String> environment, Collection<? extends Setting<?>> known) {
    return MapSettings.ofEnvironment(environment, known);
  }
}
