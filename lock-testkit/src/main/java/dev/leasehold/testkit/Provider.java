package dev.leasehold.testkit;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A backend that {@link ServiceLoader} finds by its id, and its settings but for the address.
 *
 * @param id {@link LockBackend#id()}
 * @param settings in the order of their keys
 */
record Provider(String id, Map<String, String> settings) {
  Provider {
    settings = new TreeMap<>(settings);
  }

  Provider with(String key, String value) {
    return new Provider(id, and(Map.of(key, value)));
  }

  /** The settings with further ones. */
  Map<String, String> and(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(more);
    return all;
  }

  LockBackend find() {
    for (LockBackend backend : ServiceLoader.load(LockBackend.class)) {
      if (backend.id().equals(id)) {
        return backend;
      }
    }
    throw new IllegalStateException("no backend '" + id + "' is on the path: add its jar");
  }

  /** Settings for a backend, which must know them all. */
  static LockSettings checked(LockBackend backend, Map<String, String> all) {
    LockSettings given = LockSettings.of(all);
    given.check(backend.settings());
    backend.check(given);
    return given;
  }

  /** Id and settings: "redis-set (redis-set.mode=plain)". */
  String name() {
    String mode =
        settings.entrySet().stream()
            .map(e -> e.getKey().replaceFirst("^lock\\.", "") + "=" + e.getValue())
            .collect(Collectors.joining(", "));
    return mode.isEmpty() ? id : id + " (" + mode + ")";
  }
}
