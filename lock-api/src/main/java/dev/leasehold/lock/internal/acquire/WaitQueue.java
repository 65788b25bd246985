package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.WakeUps;
import java.util.function.Predicate;

/**
 * The queue of a name's waiters in this process, as seen by the {@link AcquireLoop}s that ask the
 * store for them. Guarded by the name's mutex.
 */
interface WaitQueue {
  /** Returns whether each waiter sends its own requests. */
  boolean isFair();

  /** Returns the subscription that a loop listens on: shared by all loops, or its own. */
  WakeUps listeningFor(AcquireLoop loop);

  /** Returns whether it is a waiter's turn to ask. */
  boolean mayAsk(Waiter waiter);

  /** Returns how many fencing numbers a grant to this waiter should reserve for hand-overs. */
  int handOversAfter(Waiter waiter);

  /**
   * Returns whether this waiter, or any that it asks for, still needs evidence of a holder and has
   * had none since it came. Only waiters that match the predicate count.
   */
  boolean anyLacksEvidence(Waiter asker, Predicate<Waiter> such);

  /** Records that the store answered "held" to a request that was sent at this time. */
  void heardHeld(Waiter asker, long sentAt);

  void granted(Waiter waiter, RemoteLease lease);

  void failed(Waiter waiter, LockException failure);

  /** Fails the waiters without a time limit for which the store has been unusable for too long. */
  void failOutOfPatience(LockException failure);
}
