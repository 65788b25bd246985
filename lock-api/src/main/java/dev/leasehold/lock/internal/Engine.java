package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.Asking;
import dev.leasehold.lock.internal.acquire.Cells;
import dev.leasehold.lock.internal.acquire.LockCell;
import dev.leasehold.lock.internal.acquire.LockTables;
import dev.leasehold.lock.internal.calls.Minimum;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.calls.Terms;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.hold.Upkeep;
import dev.leasehold.lock.internal.kinds.NameKinds;
import dev.leasehold.lock.internal.kinds.NameKinds.Kind;
import dev.leasehold.lock.internal.kinds.NamedLock;
import dev.leasehold.lock.internal.kinds.ReadWriteLocks;
import dev.leasehold.lock.internal.kinds.Semaphores;
import dev.leasehold.lock.internal.latch.LatchCells;
import dev.leasehold.lock.internal.lease.Env;
import dev.leasehold.lock.internal.lease.Share;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.Together;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
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

/** A lock manager on any store: the cells of its names, and its end. */
final class Engine implements LockManager {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final Terms terms;
  private final StoreOperations store;
  private final Upkeep upkeep;
  private final Lifecycle lifecycle;
  private final Cells locks;
  private final Share whole;
  private final Semaphores semaphores;
  private final ReadWriteLocks readWriteLocks;
  private final LatchCells latches;
  private final NameKinds names;

  /** The defaults for kinds that have no minimum hold. */
  private final LockOptions withoutMinimum;

  Engine(
      Timing time,
      Terms terms,
      StoreOperations store,
      Upkeep upkeep,
      Events events,
      Lifecycle lifecycle) {
    this.terms = terms;
    this.store = store;
    this.upkeep = upkeep;
    this.lifecycle = lifecycle;
    LockTables tables = new LockTables(store.store(), time, terms, events, lifecycle, upkeep);
    this.locks = tables.of(store, terms.guarantees(), Sharing.ONE);
    this.whole = Share.whole(store);
    this.semaphores = new Semaphores(terms, store, tables);
    this.readWriteLocks = new ReadWriteLocks(terms, store, tables);
    this.latches = new LatchCells(new Env(time, terms, store, events, lifecycle));
    this.withoutMinimum = terms.defaults().toBuilder().atLeast(Duration.ZERO).build();
    this.names = new NameKinds(store.store().hasOneNameSpace());
  }

  @Override
  public DistributedLock lock(String name) {
    return lock(name, terms.defaults());
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    Kind.LOCK.check(name);
    checkOpen();
    checkLease(Objects.requireNonNull(options, "options"));
    Minimum.check(options, store.store(), guarantees());
    names.ask(name, Kind.LOCK);
    return new NamedLock(new Asking(locks, name, options, any -> whole, null));
  }

  @Override
  public DistributedLock all(String... names) {
    return all(Arrays.asList(Objects.requireNonNull(names, "names")), terms.defaults());
  }

  @Override
  public DistributedLock all(Collection<String> names, LockOptions options) {
    List<String> each = Objects.requireNonNull(names, "names").stream().distinct().toList();
    each.forEach(Kind.LOCK::check);
    Objects.requireNonNull(options, "options");
    Together together = Together.of(each, options, locks, whole, store);
    LockOptions own = together == null ? options : together.options();
    return AllLocks.of(each.stream().map(name -> lock(name, own)).toList(), together);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return semaphore(name, permits, withoutMinimum);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    Kind.SEMAPHORE.check(name);
    checkOpen();
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
    checkOpen();
    DistributedReadWriteLock lock =
        readWriteLocks.of(name, Objects.requireNonNull(options, "options"));
    checkLease(options);
    names.ask(name, Kind.READ_WRITE);
    return lock;
  }

  @Override
  public DistributedLatch latch(String name) {
    Kind.LATCH.check(name);
    checkOpen();
    DistributedLatch latch = latches.of(name);
    names.ask(name, Kind.LATCH);
    return latch;
  }

  @Override
  public Set<Guarantee> guarantees() {
    return terms.guarantees();
  }

  private void checkLease(LockOptions options) {
    store.store().checkLongest("a lease", options.lease());
  }

  private void checkOpen() {
    locks.checkOpen();
  }

  @Override
  public void close() {
    if (!lifecycle.beginClose()) {
      return;
    }
    List<LockCell> names = kinds().flatMap(kind -> kind.all().stream()).toList();
    var ends = names.stream().map(LockCell::close).toArray(CompletableFuture<?>[]::new);
    closeQuietly(upkeep.renewals());
    latches.close();
    awaitHolders(names, CompletableFuture.allOf(ends));
    store.releases().finish();
    awaitUninterruptibly(lifecycle.inFlight().drained(), terms.commandTimeout());
    store.calls().close();
    lifecycle.reclaimer().close();
    closeQuietly(store.store());
    closeQuietly(lifecycle.threads());
  }

  private Stream<Cells> kinds() {
    return Stream.concat(Stream.of(locks, semaphores.cells()), readWriteLocks.cells().stream());
  }

  /** Gives holders their time; for whom it has to wait longer than a moment, the log tells. */
  private void awaitHolders(List<LockCell> names, CompletableFuture<?> end) {
    Duration closeGrace = terms.closeGrace();
    Duration moment = closeGrace.compareTo(A_MOMENT) < 0 ? closeGrace : A_MOMENT;
    await(end, moment);
    names.forEach(
        name ->
            name.holdCalls()
                .unreleased()
                .ifPresent(hold -> upkeep.log().unreleased(hold, closeGrace)));
    await(end, closeGrace.minus(moment));
  }

  /** Whether it was interrupted; the flag is kept. */
  private static boolean await(CompletableFuture<?> end, Duration atMost) {
    try {
      end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.log(
          Level.DEBUG,
          "not ended within {0}: what is held expires by its lease",
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
   * Waits for what was asked for before the close. An interrupt begins the wait anew: a ticker that
   * was given may stand still, so the time that has passed is not asked of it.
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
    } catch (Exception | Error e) { // the rest must be closed whatever this one does
      LOG.log(Level.WARNING, "closing " + part + " failed", e);
    }
  }

  @Override
  public String toString() {
    return "LockManager[" + store.store() + ", " + guarantees() + "]";
  }
}
