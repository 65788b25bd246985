package dev.leasehold.methods.spi;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A lock that settings describe below {@code lock.locks.<id>}: its name if that is not the id, and
 * those of its options that are not the manager's.
 *
 * @param id what it is called in the settings
 * @param settings all of them, those of the manager too
 * @param origin where it is first named
 */
public record ConfiguredLock(String id, LockSettings settings, String origin) {
  private static final String ROOT = "lock.";
  private static final String PREFIX = "lock.locks.";

  private static final Setting<String> NAME =
      Setting.optionalText("lock.name", "The lock's name, if it is not the id.")
          .typed("text of 1 to 512 bytes")
          .map(ConfiguredLock::checkName);

  /** What may stand below an id, as keys below {@code lock.}; the longest first. */
  private static final List<Setting<?>> OPTIONS = options();

  private static List<Setting<?>> options() {
    List<Setting<?>> options = new ArrayList<>(LockOptions.settings());
    options.add(NAME);
    options.sort(Comparator.comparing((Setting<?> s) -> s.key().length()).reversed());
    return List.copyOf(options);
  }

  /** The lock's name. */
  public String name() {
    return settings.find(NAME.at(key(NAME))).orElse(id);
  }

  /** Its options: its own, and the manager's for what it does not set. */
  public LockOptions lockOptions() {
    return LockOptions.from(new Overlaid(settings, PREFIX + id));
  }

  private String key(Setting<?> option) {
    return PREFIX + id + "." + shortKey(option);
  }

  private static String shortKey(Setting<?> option) {
    return option.key().substring(ROOT.length());
  }

  /**
   * The locks that settings describe.
   *
   * @param problems takes what is wrong with them
   */
  public static List<ConfiguredLock> in(LockSettings settings, List<String> problems) {
    TreeMap<String, ConfiguredLock> found = new TreeMap<>();
    for (String key : new TreeSet<>(settings.keys())) {
      if (!key.startsWith(PREFIX)) {
        continue;
      }
      String rest = key.substring(PREFIX.length());
      Optional<Setting<?>> option =
          OPTIONS.stream().filter(o -> rest.endsWith("." + shortKey(o))).findFirst();
      String origin = settings.origin(key);
      if (option.isPresent()) {
        String id = rest.substring(0, rest.length() - shortKey(option.get()).length() - 1);
        try {
          settings.find(option.get().at(key));
        } catch (LockConfigurationException e) {
          problems.add(String.valueOf(e.getMessage()));
        }
        found.putIfAbsent(id, new ConfiguredLock(id, settings, origin));
      } else if (settings.text(key).equals(Optional.of(""))) {
        found.putIfAbsent(rest, new ConfiguredLock(rest, settings, origin));
      } else {
        problems.add(
            key
                + " ("
                + origin
                + ") is no setting of a lock; known below "
                + PREFIX
                + "<id> are "
                + OPTIONS.stream()
                    .map(ConfiguredLock::shortKey)
                    .sorted()
                    .collect(Collectors.joining(", ")));
      }
    }
    return List.copyOf(found.values());
  }

  private static String checkName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    return name;
  }

  /** The settings of the manager alone. */
  public static LockSettings without(LockSettings settings) {
    return new Without(settings);
  }

  private record Without(LockSettings all) implements LockSettings {
    @Override
    public Set<String> keys() {
      return all.keys().stream()
          .filter(key -> !key.startsWith(PREFIX))
          .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<String> text(String key) {
      return key.startsWith(PREFIX) ? Optional.empty() : all.text(key);
    }

    @Override
    public String origin(String key) {
      return all.origin(key);
    }
  }

  /** Reads a setting of the manager below the lock's id first. */
  private record Overlaid(LockSettings all, String prefix) implements LockSettings {
    private String place(String key) {
      String own = prefix + "." + key.substring(ROOT.length());
      return all.text(own).isPresent() ? own : key;
    }

    @Override
    public Set<String> keys() {
      return all.keys();
    }

    @Override
    public Optional<String> text(String key) {
      return all.text(place(key));
    }

    @Override
    public String origin(String key) {
      return all.origin(place(key));
    }
  }
}
