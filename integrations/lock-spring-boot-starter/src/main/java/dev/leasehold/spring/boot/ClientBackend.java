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
 * A backend on a client of the application instead of one of its own. Never closes the client.
 * Thread-safe.
 */
final class ClientBackend implements LockBackend {
  private final LockBackend backend;
  private final Function<LockSettings, LeaseStore> stores;
  private final Renewing renewing;
  private final Life life;
  private final String place;
  private volatile boolean used;

  /** Configures the engine on a store, by settings that the backend itself reads. */
  interface Renewing {
    /** Leaves the engine's builder unchanged. */
    Renewing BY_THE_ENGINE = (settings, store, builder) -> builder;

    LockManager.Builder apply(LockSettings settings, LeaseStore store, LockManager.Builder builder);
  }

  /** How long the client, or the part of it that locks use, lives. */
  enum Life {
    /** Until its context is closed. */
    THE_CONTEXTS,
    /** Until its connection factory stops; a restart creates another one. */
    UNTIL_STOPPED
  }

  /**
   * A backend whose stores use the client.
   *
   * @param backend the backend that would create a client of its own
   * @param place the owner of the client and its address, without credentials
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

  /** Whether a manager uses it and loses its connection once connection factories stop. */
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
