package dev.leasehold.testkit;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One address at which a backend keeps its locks, and what a rule can open there: managers, bare
 * stores, workers in other JVMs, and a direct view of the store. Everything opened is closed after
 * the rule.
 */
public final class Site {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(50);

  private final Bench bench;
  private final BackendUnderTest backend;
  private final String address;
  private final @Nullable StoreServer server;
  private Optional<ServerView> view = Optional.empty();
  private boolean viewKnown;

  Site(Bench bench, BackendUnderTest backend, String address, @Nullable StoreServer server) {
    this.bench = bench;
    this.backend = backend;
    this.address = address;
    this.server = server;
  }

  /** The backend under test. */
  public BackendUnderTest backend() {
    return backend;
  }

  /** The address passed to {@link BackendUnderTest#open}. */
  public String address() {
    return address;
  }

  /**
   * The server of this site, of any kind.
   *
   * @throws NoSuchElementException if there is none; such a rule needs {@link Need#PAUSE} or {@link
   *     Need#KILL}
   */
  public StoreServer server() {
    if (server == null) {
      throw new NoSuchElementException("no server here: the rule must say that it needs one");
    }
    return server;
  }

  /**
   * The Redis server of this site.
   *
   * @throws NoSuchElementException if the server is not Redis; such a rule needs {@link Need#REDIS}
   */
  public RedisServer redis() {
    if (server() instanceof RedisServer redis) {
      return redis;
    }
    throw new NoSuchElementException("no Redis server here: the rule must say that it needs one");
  }

  /** The same locks at another address, such as a proxy's. */
  public Site by(String otherAddress) {
    return new Site(bench, backend, otherAddress, server);
  }

  /** A manager with the kit's defaults: those of the API, except for a short close grace. */
  public LockManager open() {
    return open(UnaryOperator.identity());
  }

  /** A manager with a changed builder. */
  public LockManager open(UnaryOperator<LockManager.Builder> tuning) {
    return bench.closing(
        backend.manager(address, builder -> tuning.apply(bench.defaults(builder))));
  }

  /** A manager on a store with injected faults. Needs {@link Need#STORE}. */
  public LockManager open(Faults faults) {
    return open(faults, UnaryOperator.identity());
  }

  /** A manager on a store with injected faults and a changed builder. Needs {@link Need#STORE}. */
  public LockManager open(Faults faults, UnaryOperator<LockManager.Builder> tuning) {
    LockManager.Builder builder = LockManager.over(faults.over(backend.open(address)));
    return bench.closing(tuning.apply(bench.defaults(builder)).build());
  }

  /**
   * A manager on a quorum like the one under test, over these nodes. Needs {@link Need#NODES}.
   *
   * @param nodes the nodes, with separate clients for each manager
   */
  public LockManager quorum(List<? extends LeaseStore> nodes) {
    LeaseStore store = backend.quorum(nodes).orElseThrow();
    return bench.closing(bench.defaults(LockManager.over(store)).build());
  }

  LockManager.Builder defaults(LockManager.Builder builder, String label) {
    return builder.label(label).closeGrace(CLOSE_GRACE);
  }

  /** A bare store, started. Needs {@link Need#STORE}. */
  public LeaseStore store() {
    LeaseStore store = bench.closing(backend.open(address));
    store.start(bench.storeContext());
    return store;
  }

  /** Requests a lock from a bare store, without waiting. */
  public AcquireResult ask(LeaseStore store, LeaseKey key, Duration ttl) {
    return Await.value(store.acquire(new AcquireRequest(key, ttl, IfHeld.REFUSE)));
  }

  /**
   * A direct view of the store.
   *
   * @throws NoSuchElementException if there is none; such a rule needs {@link Need#VIEW}
   */
  public ServerView view() {
    return findView()
        .orElseThrow(
            () -> new NoSuchElementException("no view: the rule must say that it needs one"));
  }

  Optional<ServerView> findView() {
    if (!viewKnown) {
      view = backend.view(address);
      view.ifPresent(bench::closing);
      viewKnown = true;
    }
    return view;
  }

  /** A worker JVM with a manager on this site. Needs {@link Need#PROCESSES}. */
  public Worker worker() {
    return bench.workers().lease(backend.recipe(), address);
  }

  /** A separate worker JVM with further environment variables. */
  public Worker worker(Map<String, String> environment) {
    return bench.workers().own(backend.recipe(), address, environment);
  }
}
