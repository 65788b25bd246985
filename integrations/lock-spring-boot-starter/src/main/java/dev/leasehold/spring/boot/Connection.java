package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Addresses;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides which connection a manager uses: the application's, if there is one and settings name no
 * other.
 */
final class Connection {
  private static final String BACKEND = "lock.backend";

  /** Comes with the starter: yields to a backend that the application adds itself. */
  private static final String BROUGHT = "redis-set";

  /** Backends that can use a client of the application; others have a store of their own. */
  private static final Set<String> REDIS = Set.of(BROUGHT, "redis-setnx", "redisson");

  /** Settings that request a separate connection. */
  private static final Set<String> ASKED =
      Set.of("lock.redis.uri", "lock.redisson.config", "lock.redlock.nodes");

  /** Redis settings that do not describe the connection. */
  private static final Set<String> NOT_CONNECTION =
      Set.of("lock.redis.key-prefix", "lock.redis.allow-eviction", "lock.redis.fair");

  private Connection() {}

  /** Whether settings request a connection separate from the application's. */
  static boolean isOwn(LockSettings settings) {
    return settings.text(BACKEND).filter("redlock"::equals).isPresent()
        || ASKED.stream().anyMatch(key -> settings.text(key).isPresent());
  }

  static boolean isConnection(String key) {
    return key.equals("lock.redisson.config")
        || (key.startsWith("lock.redis.") && !NOT_CONNECTION.contains(key));
  }

  /**
   * A manager's opener.
   *
   * @param clients backends on the application's own clients
   * @param unusable a sentence for each client that no backend on the path can use, with the remedy
   * @throws LockConfigurationException if the choice is ambiguous
   */
  static LockManager.Opener opener(
      LockSettings settings, List<ClientBackend> clients, List<String> unusable) {
    LockManager.Opener opener = LockManager.opener(settings);
    chosen(settings, clients, unusable).ifPresent(opener::backend);
    return opener;
  }

  /** The application's client to use; empty for a separate connection. */
  private static Optional<ClientBackend> chosen(
      LockSettings settings, List<ClientBackend> clients, List<String> unusable) {
    if (isOwn(settings)) {
      return Optional.empty();
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
      return Optional.of(found.get(0));
    }
    if (settings.text(BACKEND).filter(id -> !REDIS.contains(id)).isPresent()) {
      return Optional.empty();
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
    return Optional.empty();
  }

  /** Where locks are stored, for messages: "redis-set on the application's …". */
  static String place(
      LockManager.Opener opener, LockSettings settings, List<ClientBackend> clients) {
    String id = opener.backendId();
    return clients.stream()
        .filter(client -> !isOwn(settings) && client.id().equals(id))
        .findFirst()
        .map(client -> id + " (" + client.place() + ")")
        .orElseGet(() -> id + own(settings));
  }

  /** Addresses from settings, reduced to host and port. */
  private static String own(LockSettings settings) {
    List<String> addresses =
        Stream.concat(
                settings.text("lock.redis.uri").stream(),
                settings.text("lock.redlock.nodes").stream()
                    .flatMap(nodes -> Addresses.several(nodes).stream()))
            .map(address -> Addresses.host(address.strip()))
            .toList();
    return addresses.isEmpty() ? "" : " (" + String.join(", ", addresses) + ")";
  }
}
