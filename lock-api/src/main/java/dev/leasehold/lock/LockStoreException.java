package dev.leasehold.lock;

import java.util.Objects;

/**
 * The store was unreachable, did not answer in time, or refused. The message includes the store's
 * own error text.
 */
public final class LockStoreException extends LockException {
  private static final long serialVersionUID = 1L;
  private final Kind kind;

  /** The kind of failure, for code that decides whether to retry. */
  public enum Kind {
    /** There was no connection, or it broke. */
    UNREACHABLE,
    /** No answer arrived within the time allowed; whether the command ran is unknown. */
    TIMED_OUT,
    /**
     * The store answered that it is temporarily unable: loading, busy, out of memory, read-only,
     * too few replicas, or a cluster that is moving the lock's slot.
     */
    UNAVAILABLE,
    /** The store rejected the command: no permission, wrong type of key or unsupported command. */
    REFUSED
  }

  /** Creates an exception with the kind of failure and the store's error text. */
  public LockStoreException(Kind kind, String message) {
    super(message, null);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /** As the constructor without a cause, with the client's exception. */
  public LockStoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /** The kind of failure. */
  public Kind kind() {
    return kind;
  }
}
