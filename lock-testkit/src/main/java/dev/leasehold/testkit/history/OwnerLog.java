package dev.leasehold.testkit.history;

import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.util.OptionalLong;

/**
 * Records one owner's operations on one lock, with stamps that can only shrink holds. Call {@link
 * #invoke} before an operation and one of the other methods after it. An owner performs one
 * operation at a time.
 */
public final class OwnerLog {
  private final HistoryRecorder recorder;
  private final String owner;
  private final String lock;

  OwnerLog(HistoryRecorder recorder, String owner, String lock) {
    this.recorder = recorder;
    this.owner = owner;
    this.lock = lock;
  }

  /** An operation is about to start. For a release use {@link #releasing}. */
  public void invoke(Kind kind) {
    now(kind, Phase.INVOKE);
  }

  /** An acquisition returned a lease, or an extension moved its deadline. */
  public void ok(Kind kind, Lease lease) {
    long before = recorder.now();
    OptionalLong deadline = deadline(before, lease);
    recorder.record(owner, lock, kind, Phase.OK, recorder.now(), token(lease), deadline);
  }

  /** The operation succeeded. */
  public void ok(Kind kind) {
    now(kind, Phase.OK);
  }

  /**
   * The operation failed without effect: an acquisition was refused or timed out, a release
   * reported a loss.
   */
  public void fail(Kind kind) {
    now(kind, Phase.FAIL);
  }

  /** The operation ended with an error. */
  public void unknown(Kind kind) {
    now(kind, Phase.UNKNOWN);
  }

  /**
   * Records the deadline of a lease that may have been renewed. Cheap; call it as often as useful.
   */
  public void look(Lease lease) {
    OptionalLong deadline = deadline(recorder.now(), lease);
    if (deadline.isPresent()) {
      recorder.record(
          owner, lock, Kind.RENEWED, Phase.OK, recorder.now(), OptionalLong.empty(), deadline);
    }
  }

  /** The lease was signalled as lost. */
  public void lost() {
    now(Kind.LOST, Phase.OK);
  }

  /** A release is about to be sent. */
  public void releasing(Lease lease) {
    long now = recorder.now();
    OptionalLong deadline = deadline(now, lease);
    recorder.record(owner, lock, Kind.RELEASE, Phase.INVOKE, now, OptionalLong.empty(), deadline);
  }

  /** A write to the guarded resource is about to be sent. */
  public void writing(long token) {
    recorder.record(
        owner,
        lock,
        Kind.WRITE,
        Phase.INVOKE,
        recorder.now(),
        OptionalLong.of(token),
        OptionalLong.empty());
  }

  private void now(Kind kind, Phase phase) {
    recorder.record(
        owner, lock, kind, phase, recorder.now(), OptionalLong.empty(), OptionalLong.empty());
  }

  /** A lower bound of the deadline: the clock was read before the remaining time. */
  private static OptionalLong deadline(long before, Lease lease) {
    long remaining = lease.remaining().toNanos();
    return remaining > 0 ? OptionalLong.of(before + remaining) : OptionalLong.empty();
  }

  private static OptionalLong token(Lease lease) {
    try {
      return OptionalLong.of(lease.fencingToken());
    } catch (UnsupportedOperationException withoutFencing) {
      return OptionalLong.empty();
    }
  }
}
