package dev.leasehold.testkit;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.worker.WorkerPool;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
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
 * What a rule works on, new for each: fresh names, managers and processes on the suite's server, a
 * server of its own, threads, and a seeded source of chance. All that it hands out is closed after
 * the rule, the latest first.
 */
public final class Bench {
  private static final AtomicLong NAMES = new AtomicLong();
  private static final AtomicLong BENCHES = new AtomicLong();
  private static final int SECRET_BYTES = 16;

  private final String ruleId;

  /** Begins the labels of this rule's managers, and so is in the names of their threads. */
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

  /** The suite's common place. */
  public Site site() {
    return site;
  }

  /** A place on a server of its own, that the rule may stop, kill or flush. */
  public Site ownSite() {
    return ownSite(ServerOptions.defaults());
  }

  /** A place on a server of its own, started so. */
  public Site ownSite(ServerOptions options) {
    return ownSite(site.backend(), options);
  }

  /** A place for a variant of the backend, on a server of its own. */
  public Site ownSite(BackendUnderTest backend, ServerOptions options) {
    RedisServer server = closing(Shared.start(backend, options));
    return new Site(this, backend, server.uri(), server);
  }

  /** A place on a server that the rule has started. */
  public Site siteOn(RedisServer server) {
    return new Site(this, site.backend(), server.uri(), server);
  }

  /**
   * A proxy in front of a place's server, for faults of single commands; the way through it is
   * {@code site.by(proxy.uri())}. Needs {@link Need#REDIS}.
   */
  public CommandProxy proxy(Site of) {
    return closing(CommandProxy.inFrontOf(of.server()));
  }

  /** What the manager under test declares. */
  public Set<Guarantee> guarantees() {
    return guarantees;
  }

  // ---- what ----

  /** A name that nobody has used before. */
  public String name() {
    return ruleId.toLowerCase(Locale.ROOT)
        + "-"
        + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
        + "-"
        + Long.toString(System.nanoTime(), Character.MAX_RADIX)
        + NAMES.incrementAndGet();
  }

  /** A fresh token for a name, as the engine makes them, for calls to a bare store. */
  public LeaseKey key(String name) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new LeaseKey(
        name, "kit:" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /**
   * When a lease of that length is over for certain, also on a store that rounds leases up: the
   * length and {@link BackendUnderTest#linger()}.
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

  /** Chance, from the rule's seed. Only for rules that are stochastic. */
  public Random random() {
    randomUsed = true;
    return random;
  }

  // ---- threads ----

  /** Runs something on a thread of its own. */
  public <T> CompletableFuture<T> onThread(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread(work, result).start();
    return result;
  }

  /** Makes a thread that runs something and completes the result, to be started by the rule. */
  public <T> Thread thread(Callable<T> work, CompletableFuture<T> result) {
    Thread thread = Threads.thread("rule-" + ruleId, work, result);
    closing(thread::interrupt);
    return thread;
  }

  // ---- for the kit itself ----

  /** Has something closed after the rule. */
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

  /** Closes all that the rule opened; throws what was left over. */
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
