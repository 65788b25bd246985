package dev.leasehold.testkit.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How to start a server. Immutable.
 *
 * @param arguments further arguments for the server, such as {@code --maxmemory}, {@code 1mb}
 * @param environment further environment variables
 */
public record ServerOptions(List<String> arguments, Map<String, String> environment) {

  /** Copies both. */
  public ServerOptions {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }

  /** Nothing on disk, no password. */
  public static ServerOptions defaults() {
    return new ServerOptions(List.of(), Map.of());
  }

  /** These with further arguments. */
  public ServerOptions with(String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return new ServerOptions(all, environment);
  }

  /** These with an append-only file, written at every command: a restart can keep the data. */
  public ServerOptions withAppendOnlyFile() {
    return with("--appendonly", "yes", "--appendfsync", "always");
  }

  /** These with an environment variable. */
  public ServerOptions withVariable(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.put(name, value);
    return new ServerOptions(arguments, all);
  }
}
