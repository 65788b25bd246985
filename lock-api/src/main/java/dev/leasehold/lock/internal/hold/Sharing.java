package dev.leasehold.lock.internal.hold;

/** How holds of one name, and one kind, stand beside one another in a process. */
public enum Sharing {
  /** One at a time: only when nobody here holds does anybody here ask the store. */
  ONE,
  /** Any number that the store grants, each over a lease of its own. Nobody re-enters. */
  APART,
  /**
   * Any number, and those that come soon after one another over one lease, until the last one
   * leaves.
   */
  TOGETHER
}
