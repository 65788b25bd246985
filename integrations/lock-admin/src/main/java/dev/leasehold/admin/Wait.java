package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.List;

/**
 * A waiter, and the holders of the lock it waits for.
 *
 * @param name the lock's name. Untrusted text of any length: quote it before displaying it
 * @param kind the lock's kind
 * @param waiter the place in its queue
 * @param holders the labels of the holders, without duplicates; none if the lock has no holder
 *     because it is being passed on, or was released and is unavailable for its minimum hold
 */
public record Wait(String name, KindOfLock kind, QueuedWaiter waiter, List<String> holders) {
  /** Copies the list. */
  public Wait {
    holders = List.copyOf(holders);
  }

  /** Returns kind and name for messages, quoted: {@code lock 'orders'}. */
  public String named() {
    return kind + " " + Quoted.name(name);
  }

  @Override
  public String toString() {
    return Quoted.record("Wait", "name", name, "kind", kind, "waiter", waiter, "holders", holders);
  }
}
