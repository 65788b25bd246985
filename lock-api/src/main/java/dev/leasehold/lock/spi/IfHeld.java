package dev.leasehold.lock.spi;

/** What happens to a refused request when another token holds the lock. */
public enum IfHeld {
  /** Nothing: the store writes nothing. */
  REFUSE,
  /** The request joins the store's queue of waiters, if the store has one. */
  ENQUEUE
}
