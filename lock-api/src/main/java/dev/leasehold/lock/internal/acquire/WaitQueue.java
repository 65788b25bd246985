package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.lease.RemoteLease;
import dev.leasehold.lock.internal.name.WakeUps;
import java.util.function.Predicate;

/**
 * The queue of a name's waiters in this process, as the {@link AcquireLoop}s see it that ask the
 * store for them. Guarded by the name's mutex, but for {@link #listeningFor}.
 */
interface WaitQueue {
  /** Whether each waiter asks for itself. */
  boolean isFair();

  /** The watch that an attempt listens with: one for all, or one for each. */
  WakeUps listeningFor(AcquireLoop loop);

  /** Whether it is a waiter's turn to ask. */
  boolean mayAsk(Waiter waiter);

  /** How many numbers a grant to this waiter should have for hand-overs. */
  int handOversAfter(Waiter waiter);

  /**
   * Whether one, or any for whom it asks, has heard of no holder since it came, and has to; of
   * those that are such.
   */
  boolean anyLacksEvidence(Waiter asker, Predicate<Waiter> such);

  /** The store said "held" to a question that was sent then. */
  void heardHeld(Waiter asker, long sentAt);

  void granted(Waiter waiter, RemoteLease lease);

  void failed(Waiter waiter, LockException failure);

  /** Fails those who have waited without bound for a store that was of no use for too long. */
  void failOutOfPatience(LockException failure);
}
