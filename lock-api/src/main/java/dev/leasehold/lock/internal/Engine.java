package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A lock manager on any store: the cells of its names, and its end. */
final class Engine implements LockManager {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final Env env;
  private final ConcurrentHashMap<String, LockCell> cells = new ConcurrentHashMap<>();

  /** An acquisition that is on its way, and where. */
  record Entered(LockCell cell, Acquisition acquisition) {}

  Engine(Env env) {
    this.env = env;
  }

  Timing time() {
    return env.time();
  }

  StoreOperations store() {
    return env.store();
  }

  Events events() {
    return env.events();
  }

  @Override
  public DistributedLock lock(String name) {
    return lock(name, env.terms().defaults());
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    LockNames.check(Objects.requireNonNull(name, "lock name"));
    checkOpen();
    Minimum.check(Objects.requireNonNull(options, "options"), env.store().store(), guarantees());
    return new NamedLock(this, name, options, null);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return env.terms().guarantees();
  }

  void checkOpen() {
    if (env.lifecycle().isClosing()) {
      throw Lifecycle.closedFailure();
    }
  }

  Entered enter(String name, Object owner, LockOptions options, Acquisition.Patience patience) {
    while (true) {
      checkOpen();
      LockCell cell = cells.computeIfAbsent(name, n -> new LockCell(n, env, this::forget));
      Acquisition acquisition = acquisition(cell, owner, options, patience);
      if (cell.enter(acquisition)) {
        if (env.lifecycle().isClosing()) {
          cell.close(); // it may have come in after the closing went round
        }
        return new Entered(cell, acquisition);
      }
    }
  }

  private Acquisition acquisition(
      LockCell cell, Object owner, LockOptions options, Acquisition.Patience patience) {
    Terms terms = env.terms();
    Throwable origin = terms.recordsAcquisitions() ? new Throwable("it was asked for here") : null;
    boolean wakes = terms.promises(Guarantee.WAKE_UP);
    return new Acquisition(
        owner,
        options,
        patience,
        env.time().now(),
        origin,
        contender -> new Attempt(cell, env.time(), env.store(), wakes, contender));
  }

  private void forget(LockCell idle) {
    cells.remove(idle.name(), idle);
  }

  /** The latest entry that a thread made through a view of the name. */
  Optional<Entry> viewed(String name, Thread thread) {
    return Optional.ofNullable(cells.get(name)).flatMap(cell -> cell.holdCalls().viewed(thread));
  }

  @Override
  public void close() {
    Lifecycle life = env.lifecycle();
    if (!life.beginClose()) {
      return;
    }
    StoreOperations store = env.store();
    List<LockCell> names = List.copyOf(cells.values());
    var ends = names.stream().map(LockCell::close).toArray(CompletableFuture<?>[]::new);
    closeQuietly(env.renewals());
    awaitHolders(names, CompletableFuture.allOf(ends));
    store.releases().finish();
    await(life.inFlight().drained(), env.terms().commandTimeout());
    store.calls().close();
    life.reclaimer().close();
    closeQuietly(store.store());
    closeQuietly(life.threads());
  }

  /** Gives holders their time; for whom it has to wait longer than a moment, the log tells. */
  private void awaitHolders(List<LockCell> names, CompletableFuture<?> end) {
    Duration closeGrace = env.terms().closeGrace();
    Duration moment = closeGrace.compareTo(A_MOMENT) < 0 ? closeGrace : A_MOMENT;
    await(end, moment);
    names.forEach(
        name ->
            name.holdCalls()
                .unreleased()
                .ifPresent(hold -> env.log().unreleased(hold, closeGrace)));
    await(end, closeGrace.minus(moment));
  }

  private static void await(CompletableFuture<?> end, Duration atMost) {
    try {
      end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "not ended within {0}: what is held expires by its lease", atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LOG.log(Level.DEBUG, "ended with a failure while closing", e);
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
    return "LockManager[" + env.store().store() + ", " + guarantees() + "]";
  }
}
