package dev.leasehold.testkit;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.worker.WorkerPool;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The environment of one rule, new for each: fresh names, managers and processes on the suite's
 * server, separate servers, threads, and a seeded random source. Everything it provides is closed
 * after the rule, in reverse order.
 */
public final class Bench {
  private static final AtomicLong NAMES = new AtomicLong();
  private static final AtomicLong BENCHES = new AtomicLong();
  private static final int SECRET_BYTES = 16;

  private final String ruleId;

  /** Prefix of the labels of this rule's managers, and therefore of their threads' names. */
  private final String label;

  private final long seed;
  private final Random random;
  private final WorkerPool workers;
  private final Site site;
  private final Set<Guarantee> guarantees;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final AtomicInteger labels = new AtomicInteger();
  private boolean randomUsed;

  Bench(String ruleId, long seed, Shared shared, Set<Guarantee> guarantees) {
    this.ruleId = ruleId;
    this.label = "kit-" + ruleId + "-" + BENCHES.incrementAndGet() + "-";
    this.seed = seed;
    this.random = new Random(seed);
    this.workers = shared.workers();
    this.site = new Site(this, shared.backend(), shared.address(), shared.server().orElse(null));
    this.guarantees = guarantees;
  }

  // ---- where ----

  /** The suite's shared site. */
  public Site site() {
    return site;
  }

  /** A site on a separate server, which the rule may stop, kill or flush. */
  public Site ownSite() {
    return ownSite(ServerOptions.defaults());
  }

  /** A site on a separate server started with these options. Needs {@link Need#OPTIONS}. */
  public Site ownSite(ServerOptions options) {
    return ownSite(site.backend(), options);
  }

  /**
   * A site on separate servers, of which the first uses this wall clock. Needs {@link
   * Need#SERVERS}, {@link Need#OPTIONS} and {@link Need#CLOCK}.
   */
  public Site ownSite(ClockShim ofTheFirst) {
    BackendUnderTest backend = site.backend();
    List<ServerOptions> options =
        new ArrayList<>(Collections.nCopies(backend.nodes(), ServerOptions.defaults()));
    options.set(0, options.get(0).withClock(ofTheFirst));
    return siteOn(closing(ServerGroup.start(options, backend::admit)));
  }

  /** A site for a variant of the backend, on a separate server. */
  public Site ownSite(BackendUnderTest backend, ServerOptions options) {
    StoreServer server = closing(Shared.start(backend, options));
    return new Site(this, backend, server.uri(), server);
  }

  /** A site on a server that the rule has started. */
  public Site siteOn(RedisServer server) {
    return new Site(this, site.backend(), server.uri(), server);
  }

  /**
   * A proxy in front of a site's server, to inject faults into single commands; the site through
   * the proxy is {@code site.by(proxy.uri())}. Needs {@link Need#REDIS}.
   */
  public CommandProxy proxy(Site of) {
    return closing(CommandProxy.inFrontOf(of.redis()));
  }

  /** The guarantees that the manager under test declares. */
  public Set<Guarantee> guarantees() {
    return guarantees;
  }

  // ---- what ----

  /** A name that has not been used before. */
  public String name() {
    return ruleId.toLowerCase(Locale.ROOT)
        + "-"
        + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
        + "-"
        + Long.toString(System.nanoTime(), Character.MAX_RADIX)
        + NAMES.incrementAndGet();
  }

  /** A new token for a name, in the engine's format, for calls to a bare store. */
  public LeaseKey key(String name) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new LeaseKey(
        name, "kit:" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /**
   * The time after which a lease of this length has certainly expired, even on a store that rounds
   * up: the length plus {@link BackendUnderTest#linger()}.
   */
  public Duration ended(Duration lease) {
    return lease.plus(site.backend().linger());
  }

  /** A lock of a manager with a fixed lease. */
  public DistributedLock fixed(LockManager manager, String name, Duration lease) {
    return manager.lock(name, LockOptions.fixed(lease));
  }

  /** A lock of a manager with an automatic lease. */
  public DistributedLock automatic(LockManager manager, String name, Duration lease) {
    return manager.lock(name, LockOptions.builder().automaticLease(lease).build());
  }

  /** A random source with the rule's seed. Only for stochastic rules. */
  public Random random() {
    randomUsed = true;
    return random;
  }

  // ---- threads ----

  /** Runs work on a separate thread. */
  public <T> CompletableFuture<T> onThread(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread(work, result).start();
    return result;
  }

  /** Creates an unstarted thread that runs the work and completes the result. */
  public <T> Thread thread(Callable<T> work, CompletableFuture<T> result) {
    Thread thread = TestThreads.thread("rule-" + ruleId, work, result);
    closing(thread::interrupt);
    return thread;
  }

  // ---- for the kit itself ----

  /** Registers a resource to be closed after the rule. */
  public <C extends AutoCloseable> C closing(C part) {
    mutex.lock();
    try {
      open.push(part);
      return part;
    } finally {
      mutex.unlock();
    }
  }

  LockManager.Builder defaults(LockManager.Builder builder) {
    return site.defaults(builder, label + labels.incrementAndGet());
  }

  StoreContext storeContext() {
    return closing(new KitContext());
  }

  String label() {
    return label;
  }

  WorkerPool workers() {
    return workers;
  }

  String seedHint() {
    return randomUsed ? " (chance came from -Dleasehold.seed=" + seed + ")" : "";
  }

  /** Closes everything that the rule opened; throws if the rule left anything behind. */
  void close() {
    ThreadLeaks.check(
        label,
        () -> {
          RuntimeException failure = null;
          for (AutoCloseable part = next(); part != null; part = next()) {
            try {
              part.close();
            } catch (Exception e) {
              failure = new CompletionException("closing " + part + " failed", e);
            }
          }
          workers.giveBack();
          if (failure != null) {
            throw failure;
          }
        });
  }

  private @Nullable AutoCloseable next() {
    mutex.lock();
    try {
      return open.poll();
    } finally {
      mutex.unlock();
    }
  }
}
