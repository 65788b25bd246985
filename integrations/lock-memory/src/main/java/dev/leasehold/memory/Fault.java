package dev.leasehold.memory;

import dev.leasehold.lock.LockStoreException;

/** What goes wrong with a call to the store. */
public enum Fault {
  /** There is no connection: nothing was done, and the caller is told at once. */
  UNREACHABLE,
  /** The store won't: nothing was done, and asking again does not help. */
  REFUSED,
  /** It was done, and then the connection broke: the caller can't know. */
  REPLY_LOST,
  /** Nothing was done, and nobody answers: the manager's command time-out ends the call. */
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
