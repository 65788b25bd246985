package dev.leasehold.memory;

/** What a manager calls its store for. */
public enum Call {
  /** To take a lock. */
  ACQUIRE,
  /** To prolong a lease; of many that are renewed together, each is a call. */
  RENEW,
  /** To give a lock back, or to leave it taken for the rest of a minimum hold. */
  RELEASE,
  /** All else: who holds it, how many permits, a place in the line given up; all of a latch's. */
  OTHER
}
