package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A backend on a client that the application has, in place of one of its own. Never closes it.
 * Thread-safe.
 */
final class ClientBackend implements LockBackend {
  private final LockBackend backend;
  private final Function<LockSettings, LeaseStore> stores;
  private final Renewing renewing;
  private final Life life;
  private final String place;
  private volatile boolean used;

  /** Changes an engine on a store, by settings that the backend reads itself. */
  interface Renewing {
    /** As the engine's builder is without it. */
    Renewing BY_THE_ENGINE = (settings, store, builder) -> builder;

    LockManager.Builder apply(LockSettings settings, LeaseStore store, LockManager.Builder builder);
  }

  /** How long the client, or what locks use of it, serves. */
  enum Life {
    /** Until its context is closed. */
    THE_CONTEXTS,
    /** Until its connection factory stops, which makes another when it is started again. */
    UNTIL_STOPPED
  }

  /**
   * On stores that are made on the client.
   *
   * @param backend the one that makes a client of its own
   * @param place whose client it is, and where it connects to, without a login
   */
  ClientBackend(
      LockBackend backend,
      Function<LockSettings, LeaseStore> stores,
      Renewing renewing,
      Life life,
      String place) {
    this.backend = backend;
    this.stores = stores;
    this.renewing = renewing;
    this.life = life;
    this.place = place;
  }

  /** "the application's RedissonClient". */
  String place() {
    return place;
  }

  @Override
  public String id() {
    return backend.id();
  }

  @Override
  public List<Setting<?>> settings() {
    return backend.settings();
  }

  @Override
  public void check(LockSettings settings) {
    List<String> wrong =
        settings().stream()
            .map(Setting::key)
            .filter(Connection::isConnection)
            .filter(key -> settings.text(key).isPresent())
            .map(
                key ->
                    EnvironmentSettings.property(key)
                        + " ("
                        + settings.origin(key)
                        + ") has no effect on the application's own Redis client: take it out, or"
                        + " set leasehold.redis.uri for a connection of Leasehold's own")
            .toList();
    if (!wrong.isEmpty()) {
      throw new LockConfigurationException(String.join("\n", wrong));
    }
  }

  /** Whether a manager is on it that can't reach its store once connection factories stop. */
  boolean endsWithFactory() {
    return used && life == Life.UNTIL_STOPPED;
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    used = true;
    return stores.apply(settings);
  }

  @Override
  public LockManager manager(LockSettings settings, UnaryOperator<LockManager.Builder> engine) {
    LeaseStore store = open(settings);
    return LockBackend.engineOn(
        store, builder -> engine.apply(renewing.apply(settings, store, builder)));
  }
}
