package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.methods.spi.ConfiguredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;

/** The environment's settings for locks. Immutable and thread-safe. */
final class LockEnvironment {
  private final LockSettings settings;
  private final Map<String, ConfiguredLock> configured;
  private final List<String> problems;

  /** Problems of the starter's own settings, which the manager does not read. */
  private final List<String> ofStarter;

  private final boolean openedLater;

  LockEnvironment(Environment environment) {
    settings = EnvironmentSettings.of(environment);
    List<String> found = new ArrayList<>();
    configured =
        ConfiguredLock.in(settings, found).stream()
            .collect(Collectors.toUnmodifiableMap(ConfiguredLock::id, Function.identity()));
    problems = List.copyOf(found);
    ofStarter =
        Stream.concat(Stream.of(OpenedLater.WHEN), MeterSettings.ALL.stream())
            .flatMap(setting -> wrong(environment, setting).stream())
            .toList();
    openedLater =
        ofStarter.isEmpty()
            && OpenedLater.isWanted(EnvironmentSettings.get(environment, OpenedLater.WHEN));
  }

  private static Optional<String> wrong(Environment environment, Setting<?> setting) {
    try {
      EnvironmentSettings.get(environment, setting);
      return Optional.empty();
    } catch (LockConfigurationException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Whether the named locks have no problems. */
  boolean areRight() {
    return problems.isEmpty();
  }

  /** The manager's settings. */
  LockSettings settings() {
    return ConfiguredLock.without(settings);
  }

  /**
   * Reports all problems of the named locks, the manager and the starter at once.
   *
   * @throws LockConfigurationException with a line for each problem
   */
  void check(LockManager.Opener opener) {
    List<String> all = new ArrayList<>();
    try {
      opener.check();
    } catch (LockConfigurationException e) {
      all.add(String.valueOf(e.getMessage()));
    }
    all.addAll(problems);
    all.addAll(ofStarter);
    if (!all.isEmpty()) {
      throw new LockConfigurationException(String.join("\n", all));
    }
  }

  /**
   * The default options of locks.
   *
   * @throws LockConfigurationException if one of them is invalid
   */
  LockOptions defaults() {
    return LockOptions.from(settings());
  }

  /** How long a closing manager waits for holders. */
  Duration closeGrace() {
    return duration("lock.close-grace");
  }

  /** How long a call tolerates a store that does not answer. */
  Duration storeTimeout() {
    return duration("lock.store-timeout");
  }

  private Duration duration(String key) {
    return LockSettings.known().stream()
        .filter(setting -> setting.key().equals(key))
        .findFirst()
        .map(settings::get)
        .map(Duration.class::cast)
        .orElse(Duration.ZERO);
  }

  /** Whether the manager is opened at first use. */
  boolean areOpenedLater() {
    return openedLater;
  }

  Map<String, ConfiguredLock> configured() {
    return configured;
  }
}
