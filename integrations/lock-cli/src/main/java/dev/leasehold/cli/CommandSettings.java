package dev.leasehold.cli;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** The library's settings from a file, the environment and options, in increasing precedence. */
final class CommandSettings implements LockSettings {
  private static final String PREFIX = "lock.";
  private static final String VARIABLES = "LEASEHOLD_";
  private static final String LIBRARYS = "LOCK_";
  private static final String BACKEND = "lock.backend";

  /** Variables of the launcher, and those passed to a command that runs under a lock. */
  private static final Set<String> NO_SETTINGS =
      Set.of(
          RunCommand.TOKEN,
          RunCommand.NAME,
          RunCommand.DEADLINE,
          RunCommand.SLOTS,
          "LEASEHOLD_CONFIG",
          "LEASEHOLD_ARCHIVE",
          "LEASEHOLD_JAVA_OPTS",
          "LEASEHOLD_LC_ALL");

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> origins = new HashMap<>();

  /** Adds the settings of a properties file. */
  void file(String name) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          "--config = '"
              + name
              + "' can't be read ("
              + (e instanceof InvalidPathException ? e.getMessage() : e)
              + "): allowed is a file of lines key = value, in UTF-8, with the library's settings");
    }
    properties
        .stringPropertyNames()
        .forEach(key -> put(key, properties.getProperty(key), "the file " + name));
  }

  /** Adds the settings in variables such as LEASEHOLD_REDIS_URI. */
  void environment(Map<String, String> environment) {
    Map<String, String> librarys = new HashMap<>();
    environment.forEach(
        (variable, text) -> {
          if (variable.startsWith(VARIABLES) && !NO_SETTINGS.contains(variable)) {
            librarys.put(LIBRARYS + variable.substring(VARIABLES.length()), text);
          }
        });
    if (!librarys.isEmpty()) { // which settings there are takes every backend's classes
      LockSettings settings = LockSettings.ofEnvironment(librarys);
      for (String key : settings.keys()) {
        String origin = settings.origin(key).replace(LIBRARYS, VARIABLES);
        put(key, settings.text(key).orElseThrow(), origin);
      }
    }
  }

  /** Adds the setting of an option. */
  void put(String key, String text, String origin) {
    values.put(key, text);
    origins.put(key, origin);
  }

  /** Adds {@code key=value} from {@code --set}; the prefix {@code lock.} may be omitted. */
  void assignment(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new LockConfigurationException(
          "--set = '" + text + "' is invalid; expected: key=value, as lock.command-timeout=1s");
    }
    String key = text.substring(0, equals).strip();
    String full = key.startsWith(PREFIX) ? key : PREFIX + key;
    put(full, text.substring(equals + 1).strip(), "the option --set");
  }

  /**
   * Selects a backend if none is set: the quorum if its nodes are set, else the backend that starts
   * fastest, which has the same keys as {@code redis-set}.
   */
  void chooseBackend() {
    if (!values.containsKey(BACKEND)) {
      String id = values.containsKey("lock.redlock.nodes") ? "redlock" : "redis-setnx";
      put(BACKEND, id, "the command's default");
    }
  }

  @Override
  public Set<String> keys() {
    return Set.copyOf(values.keySet());
  }

  @Override
  public Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  @Override
  public String origin(String key) {
    return origins.getOrDefault(key, "the command line");
  }

  /** Returns only the keys: a value may be a password. */
  @Override
  public String toString() {
    return "CommandSettings" + values.keySet();
  }
}
