package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.kinds.NameKinds;
import dev.leasehold.lock.internal.kinds.NameKinds.Kind;
import dev.leasehold.lock.internal.kinds.NamedLock;
import dev.leasehold.lock.internal.kinds.ReadWriteLocks;
import dev.leasehold.lock.internal.kinds.Semaphores;
import dev.leasehold.lock.internal.latch.LatchTable;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.CombinedNames;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Threads;
import dev.leasehold.lock.spi.Setting;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A lock manager on any store: its tables of names, and its close. */
final class Engine implements LockManager {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final KindServices services;
  private final Renewals renewals;
  private final Threads threads;
  private final EngineConfig config;
  private final StoreOperations store;
  private final LockTable locks;
  private final Semaphores semaphores;
  private final ReadWriteLocks readWriteLocks;
  private final LatchTable latches;
  private final NameKinds names;

  /** The defaults for kinds that have no minimum hold. */
  private final LockOptions withoutMinimum;

  /** Creates a manager from what its locks share. */
  Engine(KindServices services, Renewals renewals, Threads threads) {
    this.services = services;
    this.renewals = renewals;
    this.threads = threads;
    this.config = services.config();
    this.store = services.operations();
    this.locks = new LockTable(services, renewals);
    this.semaphores = new Semaphores(services, renewals);
    this.readWriteLocks = new ReadWriteLocks(services, renewals);
    this.latches = new LatchTable(services);
    this.withoutMinimum = config.defaults().toBuilder().atLeast(Duration.ZERO).build();
    this.names = new NameKinds(store.store().hasOneNameSpace());
  }

  @Override
  public DistributedLock lock(String name) {
    return lock(name, config.defaults());
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    Kind.LOCK.check(name);
    services.checkOpen();
    checkLease(Objects.requireNonNull(options, "options"));
    StoreContract.checkMinimumHold(options, store.store(), guarantees());
    names.ask(name, Kind.LOCK);
    return NamedLock.of(locks, name, options);
  }

  @Override
  public DistributedLock all(String... names) {
    return all(Arrays.asList(Objects.requireNonNull(names, "names")), config.defaults());
  }

  @Override
  public DistributedLock all(Collection<String> names, LockOptions options) {
    List<String> each = Objects.requireNonNull(names, "names").stream().distinct().toList();
    each.forEach(Kind.LOCK::check);
    Objects.requireNonNull(options, "options");
    CombinedNames combined = CombinedNames.of(each, options, locks);
    LockOptions own = combined == null ? options : combined.options();
    return AllLocks.of(each.stream().map(name -> lock(name, own)).toList(), combined);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return semaphore(name, permits, withoutMinimum);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    Kind.SEMAPHORE.check(name);
    services.checkOpen();
    DistributedSemaphore semaphore =
        semaphores.of(name, permits, Objects.requireNonNull(options, "options"));
    checkLease(options);
    names.ask(name, Kind.SEMAPHORE);
    return semaphore;
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, withoutMinimum);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    Kind.READ_WRITE.check(name);
    services.checkOpen();
    DistributedReadWriteLock lock =
        readWriteLocks.of(name, Objects.requireNonNull(options, "options"));
    checkLease(options);
    names.ask(name, Kind.READ_WRITE);
    return lock;
  }

  @Override
  public DistributedLatch latch(String name) {
    Kind.LATCH.check(name);
    services.checkOpen();
    DistributedLatch latch = latches.of(name);
    names.ask(name, Kind.LATCH);
    return latch;
  }

  @Override
  public Set<Guarantee> guarantees() {
    return services.guarantees();
  }

  private void checkLease(LockOptions options) {
    store.store().checkLongest("a lease", options.lease());
  }

  @Override
  public void close() {
    Lifecycle lifecycle = services.lifecycle();
    if (!lifecycle.beginClose()) {
      return;
    }
    List<LockEntry> names = kinds().flatMap(kind -> kind.all().stream()).toList();
    var ends = names.stream().map(LockEntry::close).toArray(CompletableFuture<?>[]::new);
    closeQuietly(renewals);
    latches.close();
    awaitHolders(names, CompletableFuture.allOf(ends));
    store.releases().finish();
    awaitUninterruptibly(lifecycle.drained(), config.commandTimeout());
    store.calls().close();
    services.reclaimer().close();
    closeQuietly(store.store());
    closeQuietly(threads);
  }

  private Stream<LockTable> kinds() {
    return Stream.concat(Stream.of(locks, semaphores.table()), readWriteLocks.table().stream());
  }

  /** Waits for holders; logs those that it waits for longer than a moment. */
  private void awaitHolders(List<LockEntry> names, CompletableFuture<?> end) {
    Duration closeGrace = config.closeGrace();
    Duration moment = closeGrace.compareTo(A_MOMENT) < 0 ? closeGrace : A_MOMENT;
    await(end, moment);
    names.forEach(
        name -> name.unreleased().ifPresent(hold -> services.log().unreleased(hold, closeGrace)));
    await(end, closeGrace.minus(moment));
  }

  /** Whether it was interrupted; the flag is kept. */
  private static boolean await(CompletableFuture<?> end, Duration atMost) {
    try {
      end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.log(
          Level.DEBUG,
          "not finished within {0}: locks still held expire with their leases",
          Setting.written(atMost));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException e) {
      LOG.log(Level.DEBUG, "ended with a failure while closing", e);
    }
    return false;
  }

  /**
   * Waits for operations that began before the close. An interrupt restarts the wait: a user's
   * ticker may stand still, so elapsed time is not computed from it.
   */
  private static void awaitUninterruptibly(CompletableFuture<?> end, Duration atMost) {
    boolean interrupted = Thread.interrupted();
    while (await(end, atMost)) {
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static void closeQuietly(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception | Error e) { // the others must be closed whatever this one throws
      LOG.log(Level.WARNING, "closing " + part + " failed", e);
    }
  }

  @Override
  public String toString() {
    return "LockManager[" + store.store() + ", " + guarantees() + "]";
  }
}
