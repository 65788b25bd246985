package dev.leasehold.testkit.history;

import java.util.OptionalLong;

/**
 * An event of one owner, or of a whole process. An owner performs one operation on a lock at a
 * time: an {@link Phase#INVOKE}, then its outcome.
 *
 * @param process the process, unique in the history
 * @param owner the owner, unique in the process; empty for {@link Kind#DIED}
 * @param lock name of the lock; empty for {@link Kind#DIED}
 * @param kind the operation
 * @param phase start or outcome
 * @param nanos monotonic time of the host
 * @param token fencing token, where known
 * @param deadline end of the lease on the same clock, where known
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

  /** The operation. */
  public enum Kind {
    /** An acquisition that waits. {@link Phase#FAIL}: the wait timed out. */
    ACQUIRE,
    /** An acquisition that does not wait. {@link Phase#FAIL}: it was refused. */
    TRY_ACQUIRE,
    /** An extension of the lease. {@link Phase#OK} has the new deadline. */
    EXTEND,
    /** A later deadline was observed on the lease; {@link Phase#OK} only. */
    RENEWED,
    /** The lease was signalled as lost; {@link Phase#OK} only. */
    LOST,
    /** A release. {@link Phase#FAIL}: it reported a loss. */
    RELEASE,
    /**
     * A write to the guarded resource. {@link Phase#OK}: accepted; {@link Phase#FAIL}: rejected.
     */
    WRITE,
    /** The process has ended or was killed; {@link Phase#OK} only, recorded by another process. */
    DIED
  }

  /** Start or outcome. */
  public enum Phase {
    /** Stamped before the operation starts. */
    INVOKE,
    /** Stamped after it succeeded. */
    OK,
    /** Stamped after it failed without effect. */
    FAIL,
    /** Stamped after it failed with an error: it may have taken effect, or may still do so. */
    UNKNOWN
  }

  boolean is(Kind wantedKind, Phase wantedPhase) {
    return kind == wantedKind && phase == wantedPhase;
  }
}
