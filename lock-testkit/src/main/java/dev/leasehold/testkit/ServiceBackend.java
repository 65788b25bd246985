package dev.leasehold.testkit;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.view.ServerView;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A backend found by {@link ServiceLoader}, on a store other than Redis. Other JVMs open it in the
 * same way: by its id and its settings, one of which is the store's address. Immutable, and
 * thread-safe if the functions passed to it are.
 */
public final class ServiceBackend implements BackendUnderTest {
  private final Provider provider;
  private final String addressKey;
  private final Supplier<? extends StoreServer> start;
  private final Function<String, Optional<ServerView>> look;

  private ServiceBackend(
      Provider provider,
      String addressKey,
      Supplier<? extends StoreServer> start,
      Function<String, Optional<ServerView>> look) {
    this.provider = provider;
    this.addressKey = addressKey;
    this.start = start;
    this.look = look;
  }

  /**
   * Creates a backend.
   *
   * @param id {@link LockBackend#id()}
   * @param addressKey the setting that takes {@link StoreServer#uri()}: {@code lock.jdbc.url}
   * @param start {@link #startServer()}
   */
  public static ServiceBackend of(
      String id, String addressKey, Supplier<? extends StoreServer> start) {
    return new ServiceBackend(
        new Provider(id, Map.of()), addressKey, start, address -> Optional.empty());
  }

  /** Creates a backend from a {@link Recipe}, in a JVM that opens it but starts no server. */
  static ServiceBackend opened(Provider provider, String addressKey) {
    return new ServiceBackend(
        provider,
        addressKey,
        () -> {
          throw new UnsupportedOperationException("a worker starts no server");
        },
        address -> Optional.empty());
  }

  /** This backend with a further setting. */
  public ServiceBackend with(String key, String value) {
    return new ServiceBackend(provider.with(key, value), addressKey, start, look);
  }

  /**
   * This backend with a direct view of its store.
   *
   * @param open opens a view of the store at an address
   */
  public ServiceBackend lookingBy(Function<String, ? extends ServerView> open) {
    return new ServiceBackend(
        provider, addressKey, start, address -> Optional.of(open.apply(address)));
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public Reach reach() {
    return Reach.PROCESSES;
  }

  @Override
  public StoreServer startServer() {
    return start.get();
  }

  @Override
  public LeaseStore open(String address) {
    LockBackend backend = provider.find();
    return backend.open(settings(backend, address));
  }

  private LockSettings settings(LockBackend backend, String address) {
    return Provider.checked(backend, provider.and(Map.of(addressKey, address)));
  }

  /**
   * Opens a manager by the backend's {@link LockBackend#manager}, which may have its own lock
   * implementation.
   */
  @Override
  public LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
    LockBackend backend = provider.find();
    return backend.manager(settings(backend, address), tuning);
  }

  @Override
  public Optional<ServerView> view(String address) {
    return look.apply(address);
  }

  @Override
  public String recipe() {
    return Recipe.ofSettings(provider, addressKey);
  }

  @Override
  public String toString() {
    return name();
  }
}
