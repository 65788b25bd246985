package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One scheme's primitive operations on a store; the engine does the rest.
 *
 * <p><b>Contract.</b> Methods are thread-safe and return without blocking; a client that blocks
 * belongs under {@link BlockingLeaseStore}. A stage may complete on any thread, and fails with
 * {@link dev.leasehold.lock.LockStoreException} (anything else is wrapped in one). A stage that the
 * engine cancels has timed out: withdraw its command, so that the client does not send it later.
 * The engine sends one operation at a time for each token, and no token is ever used for a second
 * lease.
 *
 * <p>Each operation is one atomic step on the store, compares the token there, and never touches a
 * lease of another token.
 */
public interface LeaseStore extends AutoCloseable {

  /**
   * Called once by the manager before any other method, also to refuse a store that can't keep its
   * promises. May block.
   *
   * @throws dev.leasehold.lock.LockException to refuse
   */
  default void start(StoreContext context) {}

  /**
   * Takes the lock if it is free. A lock that already carries the request's token is granted again:
   * its time to live is set anew but never shortened, and its fence is the last number that the
   * store gave.
   *
   * <p>Refused with {@link IfHeld#REFUSE}, it writes nothing. Refused with {@link IfHeld#ENQUEUE},
   * it registers this token as a waiter, if it is not one; granted, it takes the token off the
   * waiters.
   */
  CompletionStage<AcquireResult> acquire(AcquireRequest request);

  /**
   * Sets the time to live of leases anew, and never shortens one.
   *
   * @return a stage for each request, in their order; one may fail while others do not
   */
  List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch);

  /**
   * Frees the lock if the token holds it, and wakes one waiter. Under {@link Guarantee#TURNS} it
   * keeps the lock for that one, for a moment: to every other token it is held.
   */
  CompletionStage<ReleaseResult> release(LeaseKey lease);

  /**
   * As {@link #release(LeaseKey)}, of a lease that has fencing numbers left: if the last number
   * that the store gave is still {@code run.last()}, it becomes {@code run.used()}, in the same
   * step. A store that draws its numbers from a clock gives them back here, so that they don't lead
   * it; the default leaves them out.
   */
  default CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return release(lease);
  }

  /**
   * Takes the token off the waiters, and passes the wake-up on if the lock is free, or kept for
   * this token.
   */
  default CompletionStage<?> leave(LeaseKey waiter) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Listens for wake-ups of a name until the watch is closed.
   *
   * <p>Completes when listening has begun on the store. The engine asks again after that, so
   * nothing is missed in between; it watches a name at most once at a time (under {@link
   * Guarantee#FAIR}, once for each waiter). A store that lost and regained its connection wakes
   * every watch once. The default never wakes, and waiters poll.
   *
   * @param waiter name, and token of the waiter on whose behalf it listens
   * @param wakeUp must not block, and may run on any thread; more calls than needed do no harm
   */
  default CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return CompletableFuture.completedFuture(Watch.NONE);
  }

  /** Who holds the name now, if anybody. */
  CompletionStage<Optional<StoredLease>> inspect(String name);

  /**
   * Whether a lock, a read/write lock and a semaphore of one name meet on the same keys, since the
   * format is another client's. Then a manager refuses a name that it was asked for as another
   * kind.
   */
  default boolean hasOneNameSpace() {
    return false;
  }

  /**
   * Refuses a time that no lease lasts for on this store, by a setting of its own. The engine asks
   * when a lock of any kind is asked for, and before it extends a lease; {@link #acquire} and
   * {@link #renew} of such a time may fail. The default takes any.
   *
   * @param what is to last so long, in words that the message begins with
   * @throws dev.leasehold.lock.LockConfigurationException naming time, limit and setting
   */
  default void checkLongest(String what, Duration time) {}

  /** What this store promises; the engine adds what it does itself. Constant once started. */
  Set<Guarantee> guarantees();

  /** Closes what the store made itself, and no client that was handed in. Idempotent. */
  @Override
  void close();
}
