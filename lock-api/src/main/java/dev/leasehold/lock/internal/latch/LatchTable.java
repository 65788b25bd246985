package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A manager's latches, if its store has any. */
public final class LatchTable {
  private final KindServices services;
  private final StoreOperations store;
  private final @Nullable Latches latches;
  private final boolean opening;
  private final RepeatedRequests repeated;
  private final ConcurrentHashMap<String, LatchEntry> entries = new ConcurrentHashMap<>();

  /** Creates those of a manager, from the services of its locks. */
  public LatchTable(KindServices locks) {
    this.services = locks.of(LockKind.LATCH, locks.whole(), locks.guarantees(), locks.sharing());
    this.store = services.operations();
    this.latches =
        locks.whole() instanceof LatchStore keeper && services.promises(Guarantee.LATCH)
            ? keeper.latches()
            : null;
    this.opening = services.promises(Guarantee.LATCH_OPENING);
    this.repeated = new RepeatedRequests(services.time(), services.config().storeTimeout());
  }

  public DistributedLatch of(String name) {
    if (latches == null) {
      String why =
          services.promises(Guarantee.QUORUM)
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

  KindServices services() {
    return services;
  }

  /** Adds a waiter. */
  LatchWaiter enter(String name, Patience patience) {
    while (true) {
      services.checkOpen();
      LatchEntry entry =
          entries.computeIfAbsent(
              name, n -> new LatchEntry(n, services, latches(), idle -> forget(n, idle)));
      LatchWaiter waiter = new LatchWaiter(entry, patience, services.time().now(), opening);
      if (entry.enter(waiter)) {
        if (services.lifecycle().isClosing()) {
          entry.close(); // it may have been added after the close went through the table
        }
        return waiter;
      }
    }
  }

  private void forget(String name, LatchEntry idle) {
    entries.remove(name, idle);
  }

  CompletableFuture<Boolean> open(String name, int count, Duration keepFor) {
    services.checkOpen();
    LeaseKey round = store.freshKey(name);
    return insist(name, "open", () -> latches().open(round, count, keepFor));
  }

  CompletableFuture<Boolean> countDown(String name) {
    services.checkOpen();
    LeaseKey once = store.freshKey(name);
    return insist(name, "count down", () -> latches().countDown(once));
  }

  CompletableFuture<Optional<Latches.State>> look(String name) {
    services.checkOpen();
    LeaseKey unused = store.freshKey(name);
    return store.send(name, "inspect", () -> latches().look(unused, IfHeld.REFUSE));
  }

  private <T> CompletableFuture<T> insist(
      String name, String operation, Supplier<CompletionStage<T>> call) {
    return repeated.send(() -> store.send(name, operation, call));
  }

  /** Fails waiters and repeated requests. */
  public void close() {
    repeated.close();
    entries.values().forEach(LatchEntry::close);
  }
}
