package dev.leasehold.testkit.history;

import java.util.OptionalLong;

/**
 * One owner's hold of a lock, from its outermost acquisition to its end: {@code [start, end)}.
 *
 * @param process the holder's process
 * @param owner the holder
 * @param lock name of the lock
 * @param token fencing token, if known
 * @param invoked when the outermost acquisition was called
 * @param start when it returned
 * @param end when the release was about to be sent, the deadline passed, the loss was signalled or
 *     the process died, whichever came first; before {@code start} if the lease had ended when the
 *     acquisition returned
 */
public record RecordedHold(
    String process,
    String owner,
    String lock,
    OptionalLong token,
    long invoked,
    long start,
    long end) {

  /** Whether the hold is empty. */
  public boolean isEmpty() {
    return end <= start;
  }

  /** Holder and token, for messages. */
  String who() {
    return process + "/" + owner + (token.isPresent() ? " (token " + token.getAsLong() + ")" : "");
  }
}
