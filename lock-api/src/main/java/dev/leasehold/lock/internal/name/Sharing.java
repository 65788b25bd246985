package dev.leasehold.lock.internal.name;

/** How holds of one name and one kind coexist in a process. */
public enum Sharing {
  /** One at a time: the store is asked only while there is no hold in this process. */
  ONE,
  /** Any number that the store grants, each with its own lease. There is no re-entry. */
  APART,
  /**
   * Any number; holds that begin soon after one another share a lease, until the last one is
   * released.
   */
  TOGETHER
}
