package dev.leasehold.examples.settings;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.internal.config.EngineSettings;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The {@code reference.conf} of a module, generated from its settings: each with its meaning,
 * allowed values and default.
 *
 * @param module the module's folder
 * @param settings the module's own settings
 */
record ReferenceConf(String module, List<Setting<?>> settings) {
  private static final String COMMON = "lock-redis-common";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern OURS =
      Pattern.compile("<groupId>dev\\.leasehold</groupId>\\s*<artifactId>([\\w-]+)</artifactId>");

  /** The files of the engine, of all backends on Redis, and of each backend on the path. */
  static List<ReferenceConf> all() {
    Map<String, ReferenceConf> all = new LinkedHashMap<>();
    all.put("lock-api", new ReferenceConf("lock-api", EngineSettings.all()));
    all.put(COMMON, new ReferenceConf(COMMON, RedisSettings.all()));
    for (LockBackend backend : backends()) {
      String module = module(backend);
      // Shared settings are in the shared module's file, unless that module is not on the backend's
      // path.
      List<Setting<?>> own =
          backend.settings().stream()
              .filter(
                  setting ->
                      setting.key().startsWith("lock." + backend.id() + ".")
                          || setting.key().startsWith("lock.redis.") && !reaches(module, COMMON))
              .toList();
      all.put(module, new ReferenceConf(module, own));
    }
    return List.copyOf(all.values());
  }

  static List<LockBackend> backends() {
    return ServiceLoader.load(LockBackend.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .toList();
  }

  /** The folder of the module that contains a backend. */
  private static String module(LockBackend backend) {
    try {
      Path code =
          Path.of(backend.getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
      return Repository.modules().stream()
          .filter(module -> code.startsWith(Repository.folder(module)))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no module has " + code));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether one module depends on the other, directly or transitively. */
  private static boolean reaches(String module, String other) {
    if (module.equals(other)) {
      return true;
    }
    Matcher each = DEPENDENCY.matcher(read(Repository.folder(module).resolve("pom.xml")));
    Stream.Builder<String> found = Stream.builder();
    while (each.find()) {
      Matcher ours = OURS.matcher(each.group(1));
      if (ours.find() && !each.group(1).contains("<scope>")) {
        found.add(ours.group(1));
      }
    }
    return found.build().anyMatch(dependency -> reaches(dependency, other));
  }

  Path file() {
    return Repository.folder(module).resolve("src/main/resources/reference.conf");
  }

  /** The file's content; empty if it does not exist. */
  String shipped() {
    return Files.isRegularFile(file()) ? read(file()) : "";
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The generated content. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("# The settings of ").append(module).append(", each with its default.\n");
    text.append("# Durations have a unit: ms, s, m, h or d. What is null is not set.\n");
    for (Setting<?> setting : settings) {
      text.append("\n# ").append(setting.meaning()).append("\n# ").append(allowed(setting));
      text.append('\n').append(setting.key()).append(" = ").append(value(setting)).append('\n');
    }
    return text.toString();
  }

  /** The values that a setting allows, as a comment. */
  static String allowed(Setting<?> setting) {
    return "Allowed: " + setting.type() + ".";
  }

  private static String value(Setting<?> setting) {
    return setting
        .defaultText()
        .map(text -> PLAIN.matcher(text).matches() ? text : '"' + text + '"')
        .orElse("null");
  }

  @Override
  public String toString() {
    return module;
  }
}
