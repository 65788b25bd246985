package dev.leasehold.methods.spi;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A lock described by settings below {@code lock.locks.<id>}: its name if that is not the id, its
 * kind if it is not a plain lock, and those of its options that are not the manager's.
 *
 * @param id its id in the settings
 * @param settings all settings, including the manager's
 * @param origin where the id first appears
 */
public record ConfiguredLock(String id, LockSettings settings, String origin) {
  private static final String ROOT = "lock.";
  private static final String PREFIX = "lock.locks.";

  private static final Setting<String> NAME =
      Setting.optionalText("lock.name", "The lock's name, if it is not the id.")
          .typed("text of 1 to 512 bytes")
          .map(ConfiguredLock::checkName);

  private static final Setting<ConfiguredKind> KIND =
      Setting.choice(
              "lock.kind",
              ConfiguredKind.LOCK.word(),
              ConfiguredKind.words(),
              "What is injected under the id.")
          .map(ConfiguredKind::of);

  private static final Setting<Integer> PERMITS =
      Setting.integer(
          "lock.permits", 1, 1, PermitStore.MOST_PERMITS, "How many permits a semaphore has.");

  private static final String AT_LEAST = "at-least";

  /** The keys allowed below an id, as keys below {@code lock.}; the longest first. */
  private static final List<Setting<?>> OPTIONS = options();

  private static List<Setting<?>> options() {
    List<Setting<?>> options = new ArrayList<>(LockOptions.settings());
    options.addAll(List.of(NAME, KIND, PERMITS));
    options.sort(Comparator.comparing((Setting<?> s) -> s.key().length()).reversed());
    return List.copyOf(options);
  }

  /** The lock's name. */
  public String name() {
    return settings.find(NAME.at(key(NAME))).orElse(id);
  }

  /** The lock's kind. */
  public ConfiguredKind kind() {
    return settings.get(KIND.at(key(KIND)));
  }

  /**
   * The lock's options, with the manager's for those it does not set. Only a plain lock inherits
   * the manager's minimum hold.
   */
  public LockOptions lockOptions() {
    LockOptions options = LockOptions.from(new Overlaid(settings, PREFIX + id));
    return kind() == ConfiguredKind.LOCK
        ? options
        : options.toBuilder().atLeast(Duration.ZERO).build();
  }

  /**
   * Gets the lock from a manager, with the type of its {@linkplain #kind() kind}.
   *
   * @throws LockConfigurationException if the manager's backend has no such kind
   */
  public Object of(LockManager manager) {
    return switch (kind()) {
      case LOCK -> manager.lock(name(), lockOptions());
      case READ_WRITE -> manager.readWriteLock(name(), lockOptions());
      case SEMAPHORE -> manager.semaphore(name(), permits(), lockOptions());
      case LATCH -> manager.latch(name());
    };
  }

  private int permits() {
    return settings.get(PERMITS.at(key(PERMITS)));
  }

  private String key(Setting<?> option) {
    return PREFIX + id + "." + shortKey(option);
  }

  /** Conflicts between settings that are individually valid. */
  private List<String> contradictions() {
    ConfiguredKind kind = kind();
    String a = kind.word();
    boolean permits = settings.text(key(PERMITS)).isPresent();
    if (kind == ConfiguredKind.SEMAPHORE && !permits) {
      return List.of(
          key(PERMITS)
              + " is not set, and the semaphore "
              + id
              + " ("
              + origin
              + ") has no number of its own; expected: "
              + PERMITS.type());
    }
    return OPTIONS.stream()
        .filter(option -> settings.text(key(option)).isPresent())
        .filter(option -> !fits(kind, shortKey(option)))
        .map(
            option ->
                key(option)
                    + " = '"
                    + settings.text(key(option)).orElse("")
                    + "' ("
                    + settings.origin(key(option))
                    + ") does not go with the kind "
                    + a
                    + (shortKey(option).equals(shortKey(PERMITS))
                        ? ": permits are a semaphore's, " + key(KIND) + " = semaphore"
                        : kind == ConfiguredKind.LATCH
                            ? ": it has no lease, and below its id stand kind and name alone"
                            : ": it has no minimum hold, a plain lock has"))
        .toList();
  }

  private static boolean fits(ConfiguredKind kind, String option) {
    if (option.equals(shortKey(PERMITS))) {
      return kind == ConfiguredKind.SEMAPHORE;
    }
    return kind == ConfiguredKind.LOCK
        || option.equals(shortKey(NAME))
        || option.equals(shortKey(KIND))
        || (kind != ConfiguredKind.LATCH && !option.equals(AT_LEAST));
  }

  private static String shortKey(Setting<?> option) {
    return option.key().substring(ROOT.length());
  }

  /**
   * The locks described by settings.
   *
   * @param problems receives the problems with them
   */
  public static List<ConfiguredLock> in(LockSettings settings, List<String> problems) {
    TreeMap<String, ConfiguredLock> found = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
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
          wrong.add(String.valueOf(e.getMessage()));
        }
        found.putIfAbsent(id, new ConfiguredLock(id, settings, origin));
      } else if (settings.text(key).equals(Optional.of(""))) {
        found.putIfAbsent(rest, new ConfiguredLock(rest, settings, origin));
      } else {
        wrong.add(
            key
                + " ("
                + origin
                + ") is not a known setting of a lock; known below "
                + PREFIX
                + "<id> are "
                + OPTIONS.stream()
                    .map(ConfiguredLock::shortKey)
                    .sorted()
                    .collect(Collectors.joining(", ")));
      }
    }
    if (wrong.isEmpty()) { // otherwise the kind of each may be unknown
      found.values().forEach(lock -> wrong.addAll(lock.contradictions()));
    }
    problems.addAll(wrong);
    return List.copyOf(found.values());
  }

  private static String checkName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    return name;
  }

  /** The manager's settings without those of its locks. */
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

  /** Looks up a setting of the manager below the lock's id first. */
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
