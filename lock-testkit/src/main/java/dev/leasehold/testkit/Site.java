package dev.leasehold.testkit;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.server.RedisServer;
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
 * One place where a backend keeps its locks, and what a rule can open there: managers, bare stores,
 * workers in other JVMs, and a look behind. Whatever is opened is closed after the rule.
 */
public final class Site {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(50);

  private final Bench bench;
  private final BackendUnderTest backend;
  private final String address;
  private final @Nullable RedisServer server;
  private @Nullable Optional<ServerView> view;

  Site(Bench bench, BackendUnderTest backend, String address, @Nullable RedisServer server) {
    this.bench = bench;
    this.backend = backend;
    this.address = address;
    this.server = server;
  }

  /** What is tested. */
  public BackendUnderTest backend() {
    return backend;
  }

  /** What {@link BackendUnderTest#open} is given here. */
  public String address() {
    return address;
  }

  /**
   * The server behind it.
   *
   * @throws NoSuchElementException if there is none; such a rule needs {@link Need#REDIS}
   */
  public RedisServer server() {
    if (server == null) {
      throw new NoSuchElementException("no server here: the rule must say that it needs one");
    }
    return server;
  }

  /** The same locks by another way, a proxy's address say. */
  public Site by(String otherAddress) {
    return new Site(bench, backend, otherAddress, server);
  }

  /** A manager with the kit's defaults: as a user's, but for a short grace at close. */
  public LockManager open() {
    return open(UnaryOperator.identity());
  }

  /** A manager, tuned. */
  public LockManager open(UnaryOperator<LockManager.Builder> tuning) {
    return bench.closing(
        backend.manager(address, builder -> tuning.apply(bench.defaults(builder))));
  }

  /** A manager on a store with faults in front of it. Needs {@link Need#STORE}. */
  public LockManager open(Faults faults) {
    return open(faults, UnaryOperator.identity());
  }

  /** A manager on a store with faults in front of it, tuned. Needs {@link Need#STORE}. */
  public LockManager open(Faults faults, UnaryOperator<LockManager.Builder> tuning) {
    LockManager.Builder builder = LockManager.over(faults.over(backend.open(address)));
    return bench.closing(tuning.apply(bench.defaults(builder)).build());
  }

  /**
   * A manager on a quorum like the one under test, over these nodes. Needs {@link Need#NODES}.
   *
   * @param nodes a client of its own for each manager
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

  /** Asks a bare store for a lock, without waiting. */
  public AcquireResult ask(LeaseStore store, LeaseKey key, Duration ttl) {
    return Await.value(store.acquire(new AcquireRequest(key, ttl, IfHeld.REFUSE)));
  }

  /**
   * A look behind.
   *
   * @throws NoSuchElementException if there is none; such a rule needs {@link Need#VIEW}
   */
  public ServerView view() {
    return findView()
        .orElseThrow(
            () -> new NoSuchElementException("no view: the rule must say that it needs one"));
  }

  Optional<ServerView> findView() {
    Optional<ServerView> known = view;
    if (known == null) {
      known = backend.view(address);
      known.ifPresent(bench::closing);
      view = known;
    }
    return known;
  }

  /** A worker JVM with a manager on this place. Needs {@link Need#PROCESSES}. */
  public Worker worker() {
    return bench.workers().lease(backend.recipe(), address);
  }

  /** A worker JVM of its own, with further environment variables. */
  public Worker worker(Map<String, String> environment) {
    return bench.workers().own(backend.recipe(), address, environment);
  }
}
