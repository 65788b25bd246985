package dev.leasehold.lock.spi;

/** What a request does where somebody else holds the lock: it is refused, and then? */
public enum IfHeld {
  /** No more: nothing is written. */
  REFUSE,
  /** It is put into the store's line of waiters, where the store has one. */
  ENQUEUE
}
