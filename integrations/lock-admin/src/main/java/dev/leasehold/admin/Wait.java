package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.List;

/**
 * Somebody in a lock's queue, and who holds that lock.
 *
 * @param name the lock's name. Foreign text of up to any length: quote it before you show it
 * @param kind what the lock is
 * @param waiter the place in its queue
 * @param holders the labels of those that hold it, each once; none where nobody does: it is being
 *     passed on, or was released and is kept for its minimum hold
 */
public record Wait(String name, KindOfLock kind, QueuedWaiter waiter, List<String> holders) {
  /** Copies the list. */
  public Wait {
    holders = List.copyOf(holders);
  }

  /** Kind and name for messages, quoted: {@code lock 'orders'}. */
  public String named() {
    return kind + " " + Quoted.name(name);
  }

  @Override
  public String toString() {
    return Quoted.record("Wait", "name", name, "kind", kind, "waiter", waiter, "holders", holders);
  }
}
