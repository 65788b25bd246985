package dev.leasehold.testkit.history;

/**
 * A forbidden situation in a history, caused by a bug or by the environment.
 *
 * @param kind what was violated
 * @param blame the cause
 * @param lock name of the lock
 * @param message a description that names the owners
 * @param from start of the part of the history that shows it
 * @param to end of that part
 */
public record Violation(Kind kind, Blame blame, String lock, String message, long from, long to) {

  /** What was violated. */
  public enum Kind {
    /** Two owners held the lock at the same time. */
    OVERLAP,
    /** A hold's fencing token is not larger than that of an earlier one. */
    TOKEN_NOT_INCREASING,
    /** A holder wrote after its lease had ended: caused by a pause, not by a bug. */
    EFFECT_AFTER_DEADLINE,
    /** The guarded resource accepted a write with a smaller token than one it had seen. */
    STALE_WRITE_ACCEPTED,
    /** An attempt that does not wait was refused although no other owner can have held the lock. */
    SPURIOUS_REFUSAL
  }

  /** The cause. */
  public enum Blame {
    /** A bug of the lock or the resource. */
    BUG,
    /** Faults of the processes or the store. */
    ENVIRONMENT
  }
}
