package dev.leasehold.simulation;

import dev.leasehold.simulation.KindWorld.Hold;
import dev.leasehold.simulation.KindWorld.Kind;
import dev.leasehold.testkit.sim.SimWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks all holds of a world whenever one is added or read: since an invalid lease never becomes
 * valid again, no violation is missed. SE-1: no more valid holds than permits; SE-7: no slot is
 * held twice; RW-1: a writer is alone; RW-6, SE-8: tokens.
 */
final class KindCheck {
  private final SimWorld world;
  private final Kind kind;
  private final int permits;
  private final List<Hold> holds = new ArrayList<>();
  private final StringBuilder granted = new StringBuilder();
  private final Consumer<String> fail;
  private Known known = new Known(0, 0, Map.of());

  KindCheck(SimWorld world, Kind kind, int permits, Consumer<String> fail) {
    this.world = world;
    this.kind = kind;
    this.permits = permits;
    this.fail = fail;
  }

  /** The largest tokens granted: of all, of writers, and per slot. */
  record Known(long largest, long largestWritten, Map<Integer, Long> ofSlots) {
    private Known with(long token, Hold hold) {
      Map<Integer, Long> slots = new HashMap<>(ofSlots);
      hold.lease().slots().forEach(slot -> slots.merge(slot, token, Math::max));
      return new Known(
          Math.max(largest, token),
          hold.alone() ? Math.max(largestWritten, token) : largestWritten,
          Map.copyOf(slots));
    }

    /** The largest token among those that a hold excludes. */
    private long before(Hold hold, Kind kind) {
      if (kind == Kind.READ_WRITE) {
        return hold.alone() ? largest : largestWritten;
      }
      return hold.lease().slots().stream()
          .mapToLong(slot -> ofSlots.getOrDefault(slot, -1L))
          .max()
          .orElse(-1);
    }
  }

  /** The tokens known before a request; to be passed to {@link #taken}. */
  Known known() {
    return known;
  }

  /**
   * Adds a grant whose request was sent when {@code asked} were the known tokens. While it is
   * valid, nothing that it excludes can have been granted since, so it must follow all tokens known
   * now.
   */
  void taken(Hold hold, Known asked) {
    granted.append(world.nanos()).append(' ').append(hold.owner());
    holds.add(hold);
    look();
    if (hold.isFenced(kind)) {
      long token = hold.lease().fencingToken();
      granted.append(' ').append(hold.lease().slots()).append(' ').append(token);
      Known before = hold.lease().isValid() ? known : asked;
      if (token <= before.before(hold, kind)) {
        String rule = kind == Kind.READ_WRITE ? "RW-6: " : "SE-8: ";
        fail.accept(rule + hold + " has token " + token + ", known were " + before);
      }
      known = known.with(token, hold);
    }
    granted.append('\n');
  }

  private void look() {
    List<Hold> valid = holds.stream().filter(hold -> hold.lease().isValid()).toList();
    if (valid.stream().anyMatch(Hold::alone) && valid.size() > 1) {
      fail.accept("RW-1: a writer is not alone: " + valid);
    }
    if (kind == Kind.SEMAPHORE && valid.stream().mapToInt(Hold::share).sum() > permits) {
      fail.accept("SE-1: more than " + permits + " permits: " + valid);
    }
    Set<Integer> slots = new HashSet<>();
    for (Hold hold : valid) {
      if (!hold.lease().slots().stream().allMatch(slots::add)) {
        fail.accept("SE-7: a slot is held twice: " + valid);
      }
    }
  }

  /** The owner stops relying on the hold. */
  void over(Hold hold) {
    look();
    holds.remove(hold);
  }

  String granted() {
    return granted.toString();
  }
}
