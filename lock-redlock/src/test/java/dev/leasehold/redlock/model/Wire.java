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
record Wire(
    boolean acquire, boolean raise, boolean renew, boolean release, Answer answer, int fence) {
  static final Wire IDLE = new Wire(false, false, false, false, Answer.NONE, Node.LONG_AGO);

  /** An answer's way. */
  enum Answer {
    NONE,
    SENT,
    HEARD
  }

  Wire ask() {
    return new Wire(true, raise, renew, release, answer, fence);
  }

  Wire askToRaise() {
    return new Wire(acquire, true, renew, release, Answer.NONE, Node.LONG_AGO);
  }

  Wire askToRenew() {
    return new Wire(acquire, raise, true, release, Answer.NONE, Node.LONG_AGO);
  }

  /** The round is over: answers don't count any more. */
  Wire askToRelease() {
    return new Wire(acquire, raise, renew, true, Answer.NONE, Node.LONG_AGO);
  }

  Wire deaf() {
    return new Wire(acquire, raise, renew, release, Answer.NONE, Node.LONG_AGO);
  }

  Wire acquired() {
    return new Wire(false, raise, renew, release, answer, fence);
  }

  Wire raised() {
    return new Wire(acquire, false, renew, release, answer, fence);
  }

  Wire renewed() {
    return new Wire(acquire, raise, false, release, answer, fence);
  }

  Wire released() {
    return new Wire(acquire, raise, renew, false, answer, fence);
  }

  /** The first answer counts. */
  Wire answered(int value) {
    return answer == Answer.HEARD
        ? this
        : new Wire(acquire, raise, renew, release, Answer.SENT, value);
  }

  Wire heard() {
    return new Wire(acquire, raise, renew, release, Answer.HEARD, fence);
  }

  Wire tick() {
    return answer == Answer.NONE
        ? this
        : new Wire(acquire, raise, renew, release, answer, Node.earlier(fence));
  }
}
