package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** On whose connection a manager is: the application's, wherever it has one and names no other. */
final class Connection {
  private static final String BACKEND = "lock.backend";

  /** Brought by the starter: gives way to what the application has added itself. */
  private static final String BROUGHT = "redis-set";

  /** Those that could be on a client of the application's: others have a store of their own. */
  private static final Set<String> REDIS = Set.of(BROUGHT, "redis-setnx", "redisson");

  /** What asks for a connection of our own. */
  private static final Set<String> ASKED =
      Set.of("lock.redis.uri", "lock.redisson.config", "lock.redlock.nodes");

  /** What does not describe the connection among the settings of Redis. */
  private static final Set<String> NOT_CONNECTION =
      Set.of("lock.redis.key-prefix", "lock.redis.allow-eviction", "lock.redis.fair");

  private Connection() {}

  static boolean isConnection(String key) {
    return key.equals("lock.redisson.config")
        || (key.startsWith("lock.redis.") && !NOT_CONNECTION.contains(key));
  }

  /**
   * A manager's opener.
   *
   * @param clients backends on the application's own clients
   * @param unusable clients of the application that no backend on the path can use: what to do, a
   *     sentence each
   * @throws LockConfigurationException if it can't be told which to use
   */
  static LockManager.Opener opener(
      LockSettings settings, List<ClientBackend> clients, List<String> unusable) {
    LockManager.Opener opener = LockManager.opener(settings);
    boolean quorum = settings.text(BACKEND).filter("redlock"::equals).isPresent();
    if (quorum || ASKED.stream().anyMatch(key -> settings.text(key).isPresent())) {
      return opener;
    }
    List<ClientBackend> found =
        clients.stream()
            .filter(client -> settings.text(BACKEND).map(client.id()::equals).orElse(true))
            .toList();
    if (found.size() > 1) {
      found = found.stream().filter(client -> !client.id().equals(BROUGHT)).toList();
    }
    if (found.size() > 1) {
      throw new LockConfigurationException(
          "the application has several Redis clients that locks could be on: set"
              + " leasehold.backend to one of "
              + String.join(", ", found.stream().map(ClientBackend::id).toList()));
    }
    if (found.size() == 1) {
      return opener.backend(found.get(0));
    }
    if (settings.text(BACKEND).filter(id -> !REDIS.contains(id)).isPresent()) {
      return opener;
    }
    List<String> passed =
        Stream.concat(
                unusable.stream(),
                clients.stream()
                    .map(
                        client ->
                            "The application has a Redis client for "
                                + client.id()
                                + ", which is not leasehold.backend."))
            .toList();
    if (!passed.isEmpty()) {
      throw new LockConfigurationException(
          String.join("\n", passed)
              + "\nWith leasehold.redis.uri it makes a connection of its own, beside the"
              + " application's");
    }
    return opener;
  }
}
