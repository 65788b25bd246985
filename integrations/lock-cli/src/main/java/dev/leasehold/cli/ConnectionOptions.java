package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the connection to the locks' servers. */
final class ConnectionOptions {
  @Option(
      names = "--redis",
      order = 1,
      paramLabel = "URI",
      description =
          "Address of Redis: redis://host:port, rediss:// for TLS,"
              + " redis-sentinel://host,host#primary. Sets lock.redis.uri. A password in an"
              + " option is visible in the list of processes: use the file or the environment.")
  @Nullable String redis;

  @Option(
      names = "--backend",
      order = 2,
      paramLabel = "ID",
      description =
          "redis-setnx (the default; the same keys as redis-set), redis-set, redisson or redlock."
              + " Sets lock.backend.")
  @Nullable String backend;

  @Option(
      names = "--config",
      order = 3,
      paramLabel = "FILE",
      description =
          "File with settings of the library, key = value. Default: the one in LEASEHOLD_CONFIG.")
  @Nullable String config;

  @Option(
      names = "--set",
      order = 4,
      paramLabel = "KEY=VALUE",
      description =
          "A setting of the library, such as lock.command-timeout=1s; may be repeated. Variables"
              + " such as LEASEHOLD_COMMAND_TIMEOUT do the same. Options take precedence over the"
              + " environment, and the environment over the file.")
  List<String> assignments = new ArrayList<>();

  /** Combines these options with the environment and the settings file. */
  CommandSettings read(Map<String, String> environment) {
    CommandSettings settings = new CommandSettings();
    String file = config == null ? environment.get("LEASEHOLD_CONFIG") : config;
    if (file != null && !file.isEmpty()) {
      settings.file(file);
    }
    settings.environment(environment);
    assignments.forEach(settings::assignment);
    option(settings, "lock.redis.uri", redis, "--redis");
    option(settings, "lock.backend", backend, "--backend");
    settings.chooseBackend();
    return settings;
  }

  /** Adds a setting from an option, if the option was given. */
  static void option(CommandSettings settings, String key, @Nullable String text, String option) {
    if (text != null) {
      settings.put(key, text, "the option " + option);
    }
  }
}
