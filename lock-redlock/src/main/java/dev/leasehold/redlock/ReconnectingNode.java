package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.SlotStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node whose server may be down when the quorum is opened: until it is reached, every call fails
 * as unreachable, and opening is retried. Thread-safe.
 */
final class ReconnectingNode extends LazyStore
    implements MinimumHold, ReadWriteStore, SlotStore, RecallStore, ListedNode {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Supplier<? extends LeaseStore> opener;
  private final ReentrantLock mutex = new ReentrantLock();
  private Consumer<LeaseStore> check = store -> {};
  private volatile @Nullable LeaseStore open;
  private boolean closed;
  private volatile Supplier<Membership> membership = () -> Membership.UNKNOWN;

  /**
   * A node.
   *
   * @param address for messages
   * @param opener opens its store; may block, and throws if the server can't be reached
   */
  ReconnectingNode(String address, Supplier<? extends LeaseStore> opener) {
    super(address);
    this.opener = opener;
  }

  /**
   * Sets the check that an opened store must pass to become a node; it throws if the store fails
   * it.
   */
  void admission(Consumer<LeaseStore> check) {
    this.check = check;
  }

  /**
   * Tries to open the store once; if the server can't be reached, retries in the background.
   * Blocks.
   *
   * @throws LockConfigurationException if the server answers but is unsuitable
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
    if (store instanceof ListedNode node) {
      node.partOf(membership);
    }
    try {
      store.start(context);
      check.accept(store);
    } catch (RuntimeException | Error e) {
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

  private static LockException typed(Throwable e) {
    return e instanceof LockException known
        ? known
        : new LockStoreException(Kind.UNAVAILABLE, "it can't be opened: " + e, e);
  }

  private void down(StoreContext context, LockException why) {
    LOG.log(
        System.Logger.Level.WARNING, "{0} of the quorum is down: {1}", address(), why.getMessage());
    context.tell(new NodeEvent.Down(address(), why));
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
      LOG.log(System.Logger.Level.INFO, "{0} of the quorum is up", address());
      context.tell(new NodeEvent.Up(address()));
    } catch (LockStoreException e) {
      later(context, longer(pause));
    } catch (RuntimeException e) {
      // An unsuitable server may be repaired or replaced.
      down(context, typed(e));
      later(context, LONGEST_PAUSE);
    } catch (Error e) {
      later(context, longer(pause)); // memory or threads may be available by then
      down(context, typed(e));
    }
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }

  @Override
  @Nullable LeaseStore reached() {
    return open;
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return ask(store -> ((MinimumHold) store).keep(lease, rest));
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return open instanceof RecallStore store ? store.recallable(fresh) : fresh;
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    return ask(store -> ((RecallStore) store).onRecall(lease, recalled));
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    return ask(store -> ((RecallStore) store).recall(lease).thenApply(sent -> lease));
  }

  @Override
  public LeaseStore reads() {
    return new LateView(this, store -> ((ReadWriteStore) store).reads());
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return new LateView(this, store -> ((ReadWriteStore) store).readsBeside(write));
  }

  @Override
  public LeaseStore writes() {
    return new LateView(this, store -> ((ReadWriteStore) store).writes());
  }

  @Override
  public SlotView slots(List<Integer> slots, int of) {
    return new LateView(this, store -> ((SlotStore) store).slots(slots, of));
  }

  @Override
  public CompletionStage<Permits> countSlots(String name) {
    return ask(store -> ((SlotStore) store).countSlots(name));
  }

  /** One side of the node's read/write locks, or slots of its semaphores. */
  private static final class LateView extends LazyStore implements SlotView {
    private final ReconnectingNode node;
    private final Function<LeaseStore, LeaseStore> kind;

    LateView(ReconnectingNode node, Function<LeaseStore, LeaseStore> kind) {
      super(node.address());
      this.node = node;
      this.kind = kind;
    }

    @Override
    @Nullable LeaseStore reached() {
      LeaseStore store = node.open;
      return store == null ? null : kind.apply(store);
    }

    @Override
    public CompletionStage<SlotVote> ask(AcquireRequest request, long proposal) {
      return ask(store -> ((SlotView) store).ask(request, proposal));
    }

    @Override
    public void close() {
      // The node closes what its views share.
    }
  }

  /** Its store's guarantees; without one, all of them, so that the other nodes' decide. */
  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = super.guarantees();
    LeaseStore store = open;
    if (store == null) {
      return all;
    }
    if (!(store instanceof ReadWriteStore)) {
      all.remove(Guarantee.SHARED);
      all.remove(Guarantee.WRITERS_TURN);
    }
    if (!(store instanceof SlotStore)) {
      all.remove(Guarantee.SLOTS);
    }
    if (!(store instanceof MinimumHold)) {
      all.remove(Guarantee.MINIMUM_HOLD);
    }
    if (!(store instanceof RecallStore)) {
      all.remove(Guarantee.LINGER);
    }
    return all;
  }

  /** Empty while it is unknown. */
  @Override
  public String serverId() {
    return open instanceof IdentifiedStore known ? known.serverId() : "";
  }

  @Override
  public String nodeId() {
    return open instanceof ListedNode known ? known.nodeId() : "";
  }

  /** To be called before it is started. */
  @Override
  public void partOf(Supplier<Membership> nodes) {
    membership = nodes;
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
}
