package dev.leasehold.redlock.model;

/**
 * What is under way between a round and a node. A message may arrive at any time or never, and so
 * may the answer: that is delay, loss and reordering in one, and a pause of either side too.
 *
 * @param acquire a request to vote
 * @param raise a request to keep the round's token
 * @param renew a request to prolong the lease
 * @param release a request to free the lock
 * @param answer what came of the latest of the first three
 * @param fence of the answer
 */
record Channel(
    boolean acquire, boolean raise, boolean renew, boolean release, Answer answer, int fence) {
  static final Channel IDLE =
      new Channel(false, false, false, false, Answer.NONE, ModelNode.LONG_AGO);

  /** An answer's way. */
  enum Answer {
    NONE,
    SENT,
    HEARD
  }

  Channel ask() {
    return new Channel(true, raise, renew, release, answer, fence);
  }

  Channel askToRaise() {
    return new Channel(acquire, true, renew, release, Answer.NONE, ModelNode.LONG_AGO);
  }

  Channel askToRenew() {
    return new Channel(acquire, raise, true, release, Answer.NONE, ModelNode.LONG_AGO);
  }

  /** The round is over: answers don't count any more. */
  Channel askToRelease() {
    return new Channel(acquire, raise, renew, true, Answer.NONE, ModelNode.LONG_AGO);
  }

  Channel deaf() {
    return new Channel(acquire, raise, renew, release, Answer.NONE, ModelNode.LONG_AGO);
  }

  Channel acquired() {
    return new Channel(false, raise, renew, release, answer, fence);
  }

  Channel raised() {
    return new Channel(acquire, false, renew, release, answer, fence);
  }

  Channel renewed() {
    return new Channel(acquire, raise, false, release, answer, fence);
  }

  Channel released() {
    return new Channel(acquire, raise, renew, false, answer, fence);
  }

  /** The first answer counts. */
  Channel answered(int value) {
    return answer == Answer.HEARD
        ? this
        : new Channel(acquire, raise, renew, release, Answer.SENT, value);
  }

  Channel heard() {
    return new Channel(acquire, raise, renew, release, Answer.HEARD, fence);
  }

  Channel tick() {
    return answer == Answer.NONE
        ? this
        : new Channel(acquire, raise, renew, release, answer, ModelNode.earlier(fence));
  }
}
