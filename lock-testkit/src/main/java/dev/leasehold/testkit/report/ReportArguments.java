package dev.leasehold.testkit.report;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The report's command line arguments. */
record ReportArguments(
    Optional<String> server,
    List<String> backends,
    List<BackendUnderTest> also,
    List<BackendUnderTest> classes,
    Optional<Path> html,
    Optional<Path> json,
    Optional<Path> log) {

  private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");
  private static final String USAGE =
      "usage: Report [--redis URL | --server KIND] [--backend ID]... [--also ID,KEY=VALUE,...]..."
          + " [--class NAME]... [--html FILE] [--json FILE] [--log FILE]";

  /**
   * Parses a command line.
   *
   * @throws IllegalArgumentException with the mistake and the usage
   */
  static ReportArguments parse(List<String> words) {
    Optional<String> server = Optional.empty();
    Optional<Path> html = Optional.empty();
    Optional<Path> json = Optional.empty();
    Optional<Path> log = Optional.empty();
    List<String> backends = new ArrayList<>();
    List<BackendUnderTest> also = new ArrayList<>();
    List<BackendUnderTest> classes = new ArrayList<>();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--redis", "--server" -> server = Optional.of(value(option, rest));
        case "--backend" -> backends.add(value(option, rest));
        case "--class" -> classes.add(made(value(option, rest)));
        case "--also" -> also.add(mode(value(option, rest)));
        case "--html" -> html = Optional.of(Path.of(value(option, rest)));
        case "--json" -> json = Optional.of(Path.of(value(option, rest)));
        case "--log" -> log = Optional.of(Path.of(value(option, rest)));
        default -> throw new IllegalArgumentException("no such option: " + option + "\n" + USAGE);
      }
    }
    return new ReportArguments(
        server, List.copyOf(backends), List.copyOf(also), List.copyOf(classes), html, json, log);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " wants a value\n" + USAGE);
    }
    return rest.next();
  }

  /** Instantiates a backend's conformance class, or a class that is itself a backend under test. */
  private static BackendUnderTest made(String name) {
    try {
      Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
      constructor.setAccessible(true);
      Object made = constructor.newInstance();
      if (made instanceof BackendUnderTest backend) {
        return backend;
      }
      if (made instanceof LockConformance conformance) {
        return conformance.backendUnderTest();
      }
      throw new IllegalArgumentException(
          "--class " + name + ": is neither a LockConformance nor a BackendUnderTest\n" + USAGE);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("--class " + name + " can't be made: " + e, e);
    }
  }

  private static BackendUnderTest mode(String text) {
    List<String> words = SEPARATOR.splitAsStream(text.strip()).toList();
    RedisBackend backend = RedisBackend.of(words.get(0));
    for (String setting : words.subList(1, words.size())) {
      String[] pair = setting.split("=", 2);
      if (pair.length != 2) {
        throw new IllegalArgumentException(
            "--also '" + text + "': '" + setting + "' is not KEY=VALUE\n" + USAGE);
      }
      backend = backend.with(pair[0], pair[1]);
      if (pair[0].equals("lock.redis-set.mode") && pair[1].equals("plain")) {
        backend = backend.with(KeyLayout.BARE_NAME);
      }
      if (pair[0].endsWith(".scheme")) {
        backend = stored(backend, pair[1]);
      }
    }
    return backend;
  }

  /**
   * Adjusts the storage format for schemes of Leasehold's own backends that differ from the usual
   * one.
   */
  private static RedisBackend stored(RedisBackend backend, String scheme) {
    return switch (scheme) {
      case "setnx-timestamp" -> backend.with(ValueForm.EXPIRY_AND_TOKEN);
      case "yii2" -> backend.with(KeyLayout.BARE_NAME).with(ValueForm.YII2);
      case "redis-objects" -> backend.with(KeyLayout.BARE_NAME).with(ValueForm.REDIS_OBJECTS);
      case "millis" -> backend.with(KeyLayout.BARE_NAME).with(ValueForm.MILLIS);
      case "seconds" -> backend.with(KeyLayout.BARE_NAME).with(ValueForm.SECONDS);
      default -> backend;
    };
  }
}
