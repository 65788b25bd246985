package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;
import java.util.concurrent.CompletionStage;

/**
 * A store through which one manager can ask another to give back a lease that it keeps unused after
 * a release: {@code lock.linger}. It declares {@link Guarantee#LINGER} if it can.
 *
 * <p>A recall is a message, and may be lost: a waiter repeats it with each of its requests, and a
 * lease without a holder is given back after a while in any case. A store that refuses a request
 * may send it at the same time, which saves a round trip, and {@linkplain
 * AcquireResult.Held#recalled reports} that; otherwise the caller sends it. Client caches of Lustre
 * and Chubby, and delegations of NFSv4 (RFC 8881, section 10.2), work like this.
 */
public interface RecallStore extends LeaseStore {

  /**
   * Returns the key with a token from which every client sees where to send a recall. Other
   * operations treat it as any other token.
   *
   * @param fresh the key of an acquisition, not yet sent
   */
  LeaseKey recallable(LeaseKey fresh);

  /**
   * Listens for recalls of a lease until the watch is closed. The lease need not be granted yet.
   *
   * <p>Completes when listening has begun on the store. Recalls may be missed while the connection
   * is broken, so a store that loses it recalls every watched lease itself, and again when the
   * connection is back.
   *
   * @param lease a key of {@link #recallable}
   * @param recalled does not block, and may be run on any thread; superfluous calls are harmless
   */
  CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled);

  /**
   * Asks the manager that has a lease to give it back as soon as it has no holder. Called after a
   * refusal that has not done so. The result has no meaning.
   *
   * @param lease of another manager, as in {@link AcquireResult.Held#recallable}
   */
  CompletionStage<?> recall(LeaseKey lease);
}
