package dev.leasehold.testkit.history;

import java.util.OptionalLong;

/**
 * One thing that happened to one owner, or to a whole process. An owner does one operation on a
 * lock at a time: an {@link Phase#INVOKE}, and then what came of it.
 *
 * @param process the process, unique in the history
 * @param owner who acquires, unique in the process; empty for {@link Kind#DIED}
 * @param lock name of the lock; empty for {@link Kind#DIED}
 * @param kind which operation
 * @param phase begin or outcome
 * @param nanos monotonic time of the host
 * @param token fencing token, where one is known
 * @param deadline end of the lease in the same time, where one is known
 */
public record Event(
    String process,
    String owner,
    String lock,
    Kind kind,
    Phase phase,
    long nanos,
    OptionalLong token,
    OptionalLong deadline) {

  /** Which operation. */
  public enum Kind {
    /** An acquisition that waits. Its {@link Phase#FAIL} is a wait that ended empty. */
    ACQUIRE,
    /** An acquisition that does not wait. Its {@link Phase#FAIL} is a refusal. */
    TRY_ACQUIRE,
    /** An extension of the lease. Its {@link Phase#OK} has the new deadline. */
    EXTEND,
    /** A later deadline was seen on the lease; {@link Phase#OK} alone. */
    RENEWED,
    /** The lease was signalled as lost; {@link Phase#OK} alone. */
    LOST,
    /** A release. Its {@link Phase#FAIL} reports a loss. */
    RELEASE,
    /** A write to what the lock guards. {@link Phase#OK} is accepted, {@link Phase#FAIL} not. */
    WRITE,
    /** The process has ended, killed perhaps; {@link Phase#OK} alone, written by who saw it. */
    DIED
  }

  /** Begin or outcome. */
  public enum Phase {
    /** Stamped before the operation begins. */
    INVOKE,
    /** Stamped after it succeeded. */
    OK,
    /** Stamped after it ended without effect. */
    FAIL,
    /** Stamped after it ended with an error: it may have had its effect, or may still get it. */
    UNKNOWN
  }

  boolean is(Kind wantedKind, Phase wantedPhase) {
    return kind == wantedKind && phase == wantedPhase;
  }
}
