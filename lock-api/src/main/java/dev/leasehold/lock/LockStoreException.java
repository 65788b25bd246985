package dev.leasehold.lock;

import java.util.Objects;

/**
 * The store could not be reached, did not answer in time, or refused. The message carries the
 * store's own words.
 */
public final class LockStoreException extends LockException {
  private static final long serialVersionUID = 1L;
  private final Kind kind;

  /** What went wrong, for code that decides whether to try again. */
  public enum Kind {
    /** No connection, or it broke. */
    UNREACHABLE,
    /** No answer within the time allowed; whether the command ran is not known. */
    TIMED_OUT,
    /**
     * The store answered that it can't now: loading, busy, out of memory, read-only, too few
     * replicas.
     */
    UNAVAILABLE,
    /** The store answered that it won't: no permission, wrong type of key, unsupported command. */
    REFUSED
  }

  /** With kind and the store's words. */
  public LockStoreException(Kind kind, String message) {
    super(message, null);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /** With kind, the store's words and the client's exception. */
  public LockStoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }
}
