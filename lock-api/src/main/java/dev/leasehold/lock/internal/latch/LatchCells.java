package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.acquire.Acquisition.Patience;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.lease.Env;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A manager's latches, if its store has any. */
public final class LatchCells {
  private final Env env;
  private final StoreOperations store;
  private final @Nullable Latches latches;
  private final boolean opening;
  private final Insistence insistence;
  private final ConcurrentHashMap<String, LatchCell> cells = new ConcurrentHashMap<>();

  /** One who waits, and where. */
  record Entered(LatchCell cell, LatchWaiter waiter) {}

  public LatchCells(Env env) {
    this.env = env;
    this.store = env.store().of(LockKind.LATCH, env.store().store());
    LeaseStore keeping = store.store();
    this.latches =
        keeping instanceof LatchStore keeper && env.terms().promises(Guarantee.LATCH)
            ? keeper.latches()
            : null;
    this.opening = env.terms().promises(Guarantee.LATCH_OPENING);
    this.insistence = new Insistence(env.time(), env.terms().storeTimeout());
  }

  public DistributedLatch of(String name) {
    if (latches == null) {
      String why =
          env.terms().promises(Guarantee.QUORUM)
              ? "a quorum has none: its nodes may each have counted others"
              : "its store has none";
      throw new LockConfigurationException(
          "latch "
              + Quoted.name(name)
              + ": this manager does not promise LATCH, since "
              + why
              + "; "
              + KnownBackends.promising(Guarantee.LATCH)
              + " have latches. Use one of them");
    }
    return new NamedLatch(this, name);
  }

  private Latches latches() {
    Latches kept = latches;
    if (kept == null) {
      throw new IllegalStateException("no latches");
    }
    return kept;
  }

  Timing time() {
    return env.time();
  }

  Events events() {
    return env.events();
  }

  private void checkOpen() {
    if (env.lifecycle().isClosing()) {
      throw Lifecycle.closedFailure();
    }
  }

  /** Lets one in that waits. */
  Entered enter(String name, Patience patience) {
    boolean wakes = env.terms().promises(Guarantee.WAKE_UP);
    while (true) {
      checkOpen();
      LatchCell cell =
          cells.computeIfAbsent(
              name, n -> new LatchCell(n, env, store, latches(), wakes, idle -> forget(n, idle)));
      LatchWaiter waiter = new LatchWaiter(patience, env.time().now(), opening);
      if (cell.enter(waiter)) {
        if (env.lifecycle().isClosing()) {
          cell.close(); // it may have come in after the closing went round
        }
        return new Entered(cell, waiter);
      }
    }
  }

  private void forget(String name, LatchCell idle) {
    cells.remove(name, idle);
  }

  CompletableFuture<Boolean> open(String name, int count, Duration keepFor) {
    checkOpen();
    LeaseKey round = store.freshKey(name);
    return insist(name, "open", () -> latches().open(round, count, keepFor));
  }

  CompletableFuture<Boolean> countDown(String name) {
    checkOpen();
    LeaseKey once = store.freshKey(name);
    return insist(name, "count down", () -> latches().countDown(once));
  }

  CompletableFuture<Optional<Latches.State>> look(String name) {
    checkOpen();
    LeaseKey nobody = store.freshKey(name);
    return store
        .send(name, "inspect", () -> latches().look(nobody, IfHeld.REFUSE))
        .thenApply(LatchCells::answered);
  }

  private static <T> T answered(@Nullable T answer) {
    if (answer == null) {
      throw StoreCalls.noAnswer();
    }
    return answer;
  }

  private <T> CompletableFuture<T> insist(
      String name, String operation, Supplier<CompletionStage<T>> call) {
    return insistence.send(() -> store.send(name, operation, call));
  }

  /** Those who wait, or insist, are told. */
  public void close() {
    insistence.close();
    cells.values().forEach(LatchCell::close);
  }
}
