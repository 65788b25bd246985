package dev.leasehold.redis.set;

import dev.leasehold.redis.set.KindRun.Hold;
import dev.leasehold.testkit.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at all holds of a world whenever one is added or looked at: a lease that is not valid never
 * becomes so again, so this misses none. SE-1: the valid ones are no more than there are permits;
 * RW-1: who writes is alone; RW-6: tokens.
 */
final class KindCheck {
  private final SimWorld world;
  private final int permits;
  private final List<Hold> holds = new ArrayList<>();
  private final StringBuilder granted = new StringBuilder();
  private String broken = "";
  private long largest;
  private long largestWritten;

  KindCheck(SimWorld world, int permits) {
    this.world = world;
    this.permits = permits;
  }

  /** The first promise that was broken; empty while none is. */
  String broken() {
    return broken;
  }

  /** Kept, since whoever calls back swallows what is thrown. */
  private void fail(String what) {
    broken = broken.isEmpty() ? what : broken;
  }

  /** What tokens were known when somebody asked. */
  record Known(long largest, long largestWritten) {}

  Known known() {
    return new Known(largest, largestWritten);
  }

  /** A permit, or several, was granted. */
  void taken(Hold hold) {
    granted.append(world.nanos()).append(' ').append(hold.owner()).append('\n');
    holds.add(hold);
    look();
  }

  /** A side was granted to who asked when these tokens were known. */
  void entered(Hold hold, Known before) {
    long token = hold.lease().fencingToken();
    granted.append(token).append(' ');
    if (token <= (hold.alone() ? before.largest() : before.largestWritten())) {
      fail("RW-6: " + hold + " has token " + token + ", known were " + before);
    }
    largest = Math.max(largest, token);
    if (hold.alone()) {
      largestWritten = Math.max(largestWritten, token);
    }
    taken(hold);
  }

  void look() {
    List<Hold> valid = holds.stream().filter(hold -> hold.lease().isValid()).toList();
    if (valid.stream().anyMatch(Hold::alone) && valid.size() > 1) {
      fail("RW-1: a writer is not alone: " + valid);
    }
    boolean permitted = valid.stream().mapToInt(Hold::share).sum() <= permits;
    if (!permitted) {
      fail("SE-1: more than " + permits + " permits: " + valid);
    }
  }

  /** Nobody acts on it any more. */
  void over(Hold hold) {
    look();
    holds.remove(hold);
  }

  String granted() {
    return granted.toString();
  }
}
