package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where the locks are. */
final class ConnectionOptions {
  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "Where Redis is: redis://host:port, rediss:// for TLS, redis-sentinel://host,host#primary."
              + " Setting lock.redis.uri. A password here shows in the list of processes: put it"
              + " into the file or the environment.")
  @Nullable String redis;

  @Option(
      names = "--backend",
      paramLabel = "ID",
      description =
          "redis-setnx (the default; the same keys as redis-set), redis-set, redisson or redlock."
              + " Setting lock.backend.")
  @Nullable String backend;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file of the library's settings, key = value; by default that of LEASEHOLD_CONFIG.")
  @Nullable String config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "One of the library's settings, as lock.command-timeout=1s; may be repeated. Variables"
              + " LEASEHOLD_COMMAND_TIMEOUT and so on do the same. Options win over the"
              + " environment, and that over the file.")
  List<String> assignments = new ArrayList<>();

  /** Reads them all, and what the environment says. */
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

  /** Sets what an option says, if it was given. */
  static void option(CommandSettings settings, String key, @Nullable String text, String option) {
    if (text != null) {
      settings.put(key, text, "the option " + option);
    }
  }
}
