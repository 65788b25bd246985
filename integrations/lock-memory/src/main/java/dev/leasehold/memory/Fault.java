package dev.leasehold.memory;

import dev.leasehold.lock.LockStoreException;

/** A fault of a call to the store. */
public enum Fault {
  /** There is no connection: nothing is done, and the call fails at once. */
  UNREACHABLE,
  /** The store refuses: nothing is done, and a retry does not help. */
  REFUSED,
  /** The call takes effect and then the connection breaks: the caller does not know the outcome. */
  REPLY_LOST,
  /** Nothing is done and no answer comes: the manager's command time-out ends the call. */
  NO_ANSWER;

  boolean isDone() {
    return this == REPLY_LOST;
  }

  LockStoreException failure(Call call) {
    LockStoreException.Kind kind =
        this == REFUSED ? LockStoreException.Kind.REFUSED : LockStoreException.Kind.UNREACHABLE;
    return new LockStoreException(kind, "a test wanted " + call + " to fail as " + this);
  }
}
