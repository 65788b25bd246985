package dev.leasehold.testkit.history;

/**
 * Something in a history that must not be, or that the environment did.
 *
 * @param kind what it is
 * @param blame whose fault it is
 * @param lock name of the lock
 * @param message who did what, in words
 * @param from begin of the part of the history that shows it
 * @param to end of that part
 */
public record Violation(Kind kind, Blame blame, String lock, String message, long from, long to) {

  /** What it is. */
  public enum Kind {
    /** Two owners held the lock at one time. */
    OVERLAP,
    /** A hold's fencing token is not larger than that of an earlier one. */
    TOKEN_NOT_INCREASING,
    /** A holder wrote after its lease had ended: a pause, for which nobody is to blame. */
    EFFECT_AFTER_DEADLINE,
    /** The guarded resource took a write whose token was smaller than one it had seen. */
    STALE_WRITE_ACCEPTED,
    /** An attempt that does not wait was refused, and nobody else can have held the lock. */
    SPURIOUS_REFUSAL
  }

  /** Whose fault it is. */
  public enum Blame {
    /** The lock's, or the resource's. */
    BUG,
    /** That of what happened to the processes and the store. */
    ENVIRONMENT
  }
}
