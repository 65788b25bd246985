package dev.leasehold.redlock.model;

/**
 * A node: one lock, one count of fences.
 *
 * @param holder the round that has the lock here; {@link #NOBODY}; or {@link #SILENCE}
 * @param left ticks until it is free again; 0 if it is free
 * @param hurried by how much its clock has run ahead since it began to count these ticks
 * @param fence the largest it has given or kept, from the present: 0 is what a clock shows now
 * @param ahead by how many ticks its wall clock is ahead
 */
record ModelNode(int holder, int left, int hurried, int fence, int ahead) {
  static final int NOBODY = 7;

  /** It has restarted, and does not vote: as if an unknown client had it. */
  static final int SILENCE = 6;

  /** What a clock counts in one tick: more than there are grants in one, as microseconds are. */
  static final int TICK = 8;

  /** Less than any clock shows, so that it makes no difference by how much. */
  static final int LONG_AGO = -4 * TICK;

  static ModelNode empty(int ahead) {
    return new ModelNode(NOBODY, 0, 0, LONG_AGO, ahead);
  }

  /** It grants: the fence is the largest of its next, the proposal, and its wall clock. */
  ModelNode grant(int round, int lease, int proposal) {
    int drawn =
        holder == round
            ? Math.max(fence, proposal)
            : Math.max(Math.max(fence + 1, proposal), ahead * TICK);
    return new ModelNode(round, lease, 0, drawn, ahead);
  }

  ModelNode raise(int least) {
    return new ModelNode(holder, left, hurried, Math.max(fence, least), ahead);
  }

  ModelNode renew(int lease) {
    return new ModelNode(holder, lease, 0, fence, ahead);
  }

  ModelNode free() {
    return new ModelNode(NOBODY, 0, 0, fence, ahead);
  }

  /** All is lost but what the wall clock shows. */
  ModelNode restart(int quarantine) {
    return quarantine == 0 ? empty(ahead) : new ModelNode(SILENCE, quarantine, 0, LONG_AGO, ahead);
  }

  /** One tick less to count, and nothing else. */
  ModelNode hurry() {
    return left == 1 ? free() : new ModelNode(holder, left - 1, hurried + 1, fence, ahead);
  }

  /** A tick of true time: fences count from the present, which moves on. */
  ModelNode tick() {
    int older = earlier(fence);
    return left <= 1
        ? new ModelNode(NOBODY, 0, 0, older, ahead)
        : new ModelNode(holder, left - 1, hurried, older, ahead);
  }

  static int earlier(int fence) {
    return Math.max(fence - TICK, LONG_AGO);
  }
}
