package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node whose server may be down when the quorum is opened: until it answers, every call fails as
 * unreachable, and it is tried again. Thread-safe.
 */
final class ReconnectingNode implements QuorumNode, MinimumHold, IdentifiedStore {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String address;
  private final Supplier<? extends LeaseStore> opener;
  private final ReentrantLock mutex = new ReentrantLock();
  private Consumer<LeaseStore> check = store -> {};
  private volatile @Nullable LeaseStore open;
  private boolean closed;

  /**
   * A node.
   *
   * @param address for messages
   * @param opener opens its store; may block, and throws if it can't be reached
   */
  ReconnectingNode(String address, Supplier<? extends LeaseStore> opener) {
    this.address = address;
    this.opener = opener;
  }

  /** What an opened store must pass, before it counts as a node; throws if it does not. */
  void admission(Consumer<LeaseStore> check) {
    this.check = check;
  }

  /**
   * Tries once, and goes on trying in the background if the server can't be reached. Blocks.
   *
   * @throws LockConfigurationException if the server is there, and will never do
   */
  @Override
  public void start(StoreContext context) {
    try {
      openNow(context);
    } catch (LockStoreException e) {
      down(context, e);
      later(context, FIRST_PAUSE);
    }
  }

  boolean isOpen() {
    return open != null;
  }

  private void openNow(StoreContext context) {
    LeaseStore store = opener.get();
    try {
      store.start(context);
      check.accept(store);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    mutex.lock();
    try {
      if (!closed) {
        open = store;
        return;
      }
    } finally {
      mutex.unlock();
    }
    store.close();
  }

  private static LockException typed(RuntimeException e) {
    return e instanceof LockException known
        ? known
        : new LockStoreException(Kind.UNAVAILABLE, "it can't be opened: " + e, e);
  }

  private void down(StoreContext context, LockException why) {
    LOG.log(System.Logger.Level.WARNING, "{0} of the quorum is down: {1}", address, why);
    context.tell(new NodeEvent.Down(address, why));
  }

  private void later(StoreContext context, Duration pause) {
    context
        .scheduler()
        .schedule(pause, () -> context.executor().execute(() -> again(context, pause)));
  }

  private void again(StoreContext context, Duration pause) {
    mutex.lock();
    try {
      if (closed) {
        return;
      }
    } finally {
      mutex.unlock();
    }
    try {
      openNow(context);
      LOG.log(System.Logger.Level.INFO, "{0} of the quorum is up", address);
      context.tell(new NodeEvent.Up(address));
    } catch (LockStoreException e) {
      Duration doubled = pause.multipliedBy(2);
      later(context, doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE);
    } catch (RuntimeException e) {
      // A server that will never do may be mended, or another one put in its place.
      down(context, typed(e));
      later(context, LONGEST_PAUSE);
    }
  }

  private <T> CompletionStage<T> ask(Function<LeaseStore, CompletionStage<T>> call) {
    LeaseStore store = open;
    return store == null ? CompletableFuture.failedFuture(unreachable()) : call.apply(store);
  }

  private LockStoreException unreachable() {
    return new LockStoreException(
        Kind.UNREACHABLE, address + " has not been reached since the quorum was opened");
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return ask(store -> store.acquire(request));
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return ask(store -> ((QuorumNode) store).vote(request, proposal));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return ask(store -> ((QuorumNode) store).raise(lease, fence, handOvers));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    LeaseStore store = open;
    if (store != null) {
      return store.renew(batch);
    }
    LockStoreException failure = unreachable();
    return batch.stream()
        .map(request -> CompletableFuture.<RenewResult>failedStage(failure))
        .toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ask(store -> store.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return ask(store -> store.release(lease, run));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return ask(store -> ((MinimumHold) store).keep(lease, rest));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return ask(store -> store.leave(waiter).thenApply(done -> waiter));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return ask(store -> store.watch(waiter, wakeUp));
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return ask(store -> store.inspect(name));
  }

  /** What its store promises; while there is none, whatever the others do. */
  @Override
  public Set<Guarantee> guarantees() {
    LeaseStore store = open;
    if (store == null) {
      return EnumSet.allOf(Guarantee.class);
    }
    Set<Guarantee> all = EnumSet.copyOf(store.guarantees());
    if (!(store instanceof QuorumNode)) {
      all.remove(Guarantee.FENCING);
    }
    if (!(store instanceof MinimumHold)) {
      all.remove(Guarantee.MINIMUM_HOLD);
    }
    return all;
  }

  /** Empty while it is not known. */
  @Override
  public String serverId() {
    return open instanceof IdentifiedStore known ? known.serverId() : "";
  }

  @Override
  public void close() {
    LeaseStore store;
    mutex.lock();
    try {
      closed = true;
      store = open;
    } finally {
      mutex.unlock();
    }
    if (store != null) {
      store.close();
    }
  }

  @Override
  public String toString() {
    return address;
  }
}
