package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The primitive operations of one locking scheme on a store; the engine does the rest.
 *
 * <p><b>Contract.</b> Methods are thread-safe and return without blocking; a client that blocks
 * belongs under {@link BlockingLeaseStore}. A stage may complete on any thread, and fails with
 * {@link dev.leasehold.lock.LockStoreException} (anything else is wrapped in one). A stage that the
 * engine cancels has timed out: withdraw its command, so that the client does not send it later.
 * The engine sends one operation at a time for each token, and no token is ever used for a second
 * lease.
 *
 * <p>Each operation compares the token on the store and changes it in one atomic step, and never
 * changes a lease of another token. It may mark that others wait for such a lease.
 */
public interface LeaseStore extends AutoCloseable {
  /**
   * The longest time for which a waiter keeps its place in the queue after its last request; then
   * the place expires.
   */
  Duration LONGEST_PLACE = Duration.ofSeconds(150);

  /**
   * Called once by the manager before any other method. A store that cannot keep its promises
   * refuses here. May block.
   *
   * @throws dev.leasehold.lock.LockException if the store refuses to start
   */
  default void start(StoreContext context) {}

  /**
   * The key for a new lease: the engine's fresh one, or the same with what this store appends to
   * the token. Does not block. The default appends nothing.
   */
  default LeaseKey prepared(LeaseKey fresh) {
    return fresh;
  }

  /**
   * Takes the lock if it is free. A lock that already carries the request's token is granted again:
   * its time to live is reset but never shortened, and its fence is the last token that the store
   * issued.
   *
   * <p>A refused request with {@link IfHeld#REFUSE} writes nothing; one with {@link IfHeld#ENQUEUE}
   * registers its token as a waiter if it is not one yet. A granted request removes its token from
   * the waiters.
   */
  CompletionStage<AcquireResult> acquire(AcquireRequest request);

  /**
   * Resets the time to live of leases; never shortens one.
   *
   * @return a stage for each request, in order; each may fail independently
   */
  List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch);

  /**
   * Frees the lock if the token holds it, and wakes one waiter. Under {@link Guarantee#TURNS} it
   * reserves the lock for that waiter for a moment; every other token finds it held.
   *
   * <p>The token is not used again. An unanswered acquisition with it may still be in transit on a
   * broken connection; if it arrives later, it must not take the lock.
   */
  CompletionStage<ReleaseResult> release(LeaseKey lease);

  /**
   * As {@link #release(LeaseKey)}, of a lease with unused fencing tokens: if the last token that
   * the store issued is still {@code run.last()}, it becomes {@code run.used()}, in the same step.
   * A store that derives tokens from a clock takes them back here, so that they do not run ahead of
   * the clock; the default ignores them.
   */
  default CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return release(lease);
  }

  /**
   * Removes the token from the waiters, and wakes the next waiter if the lock is free or reserved
   * for this token. The token is not used again. The engine repeats the call until it is confirmed,
   * for at most {@link #LONGEST_PLACE}; a store may already remove the token with any earlier
   * request.
   */
  default CompletionStage<?> leave(LeaseKey waiter) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Listens for wake-ups of a name until the watch is closed.
   *
   * <p>Completes when listening has begun on the store. The engine then asks again, so no release
   * is missed in between. It watches a name at most once at a time (under {@link Guarantee#FAIR},
   * once per waiter). A store that lost and regained its connection wakes every watch once. The
   * default never wakes waiters, so they poll.
   *
   * @param waiter name, and token of the waiter on whose behalf the engine listens
   * @param wakeUp does not block, and may be run on any thread; superfluous calls are harmless
   */
  default CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return CompletableFuture.completedFuture(Watch.NONE);
  }

  /** The current holder of the name; empty if there is none. */
  CompletionStage<Optional<StoredLease>> inspect(String name);

  /**
   * Whether a lock, a read/write lock, a semaphore and a latch of one name share the same keys,
   * because the format is another client's. A manager then refuses a name that is in use for
   * another kind.
   */
  default boolean hasOneNameSpace() {
    return false;
  }

  /**
   * Refuses a time longer than a setting of this store allows for a lease. The engine calls it when
   * a lock of any kind is requested and before it extends a lease; {@link #acquire} and {@link
   * #renew} may fail for such a time. The default accepts any time.
   *
   * @param what what would last for this time, in words with which the message begins
   * @throws dev.leasehold.lock.LockConfigurationException naming time, limit and setting
   */
  default void checkLongest(String what, Duration time) {}

  /** The guarantees of this store; the engine adds its own. Constant once started. */
  Set<Guarantee> guarantees();

  /**
   * Closes resources that the store created itself, but no client that was passed in. Idempotent.
   */
  @Override
  void close();
}
