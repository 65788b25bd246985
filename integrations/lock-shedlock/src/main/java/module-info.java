/** A {@code LockProvider} for ShedLock: {@link dev.leasehold.shedlock.LeaseholdLockProvider}. */
module dev.leasehold.shedlock {
  requires transitive dev.leasehold.lock;
  requires transitive net.javacrumbs.shedlock.core;
  requires static org.jspecify;

  exports dev.leasehold.shedlock;
}
